// Random numbers that are equal for equal seeds, in every process.
import Seeds

/// Random numbers of a seed.
struct SeededRandom: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// True once in this many times, on average.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// One roll for ever: 1 is the lowest of any range and `.max` the highest; the standard library
/// rejects 0 and would roll again and again.
struct LoadedDice: RandomNumberGenerator {
    let face: UInt64

    mutating func next() -> UInt64 { face }
}
