/// A random generator with a seed: SplitMix64 (Steele, Lea and Flood 2014).
struct ForecastRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0xd6e8_feb8_6659_fd93 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// A number from 0 to 1, uniformly distributed.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
