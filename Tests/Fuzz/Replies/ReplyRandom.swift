// The same numbers for the same seed, everywhere.

/// SplitMix64: a case of a run is made anew from the run's seed and its own number.
package struct ReplyRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The numbers of one case.
    package init(seed: UInt64, case number: Int) {
        state = seed ^ UInt64(bitPattern: Int64(number)) &* 0x9e37_79b9_7f4a_7c15
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// A number below a bound above 0.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// One of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
