// Random numbers that are equal for equal seeds, on every machine.
internal import Seeds

/// Random numbers of one case, from the run's seed and the case's number, so that the case can be
/// repeated.
package struct ReplyRandom: RandomNumberGenerator {
    private var numbers: SplitMix64

    /// The numbers of one case.
    package init(seed: UInt64, case number: Int) {
        numbers = SplitMix64(
            seed: seed ^ UInt64(bitPattern: Int64(number)) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 { numbers.next() }

    /// A number below a bound above 0.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A random element of several.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
