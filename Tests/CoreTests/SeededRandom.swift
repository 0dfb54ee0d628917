// The same dice for the same seed, in every process.

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True once in so many times.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// The same roll always: 1 is the lowest of any range and `.max` the highest; 0 would be rolled
/// again and again by the standard library, which rejects it.
struct LoadedDice: RandomNumberGenerator {
    let face: UInt64

    mutating func next() -> UInt64 { face }
}
