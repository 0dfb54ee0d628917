// The same dice for the same seed, in every process.
import Seeds

/// Random numbers of a seed.
struct SeededRandom: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// True once in so many times.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// The same roll always: 1 is the lowest of any range and `.max` the highest; 0 would be rolled
/// again and again by the standard library, which rejects it.
struct LoadedDice: RandomNumberGenerator {
    let face: UInt64

    mutating func next() -> UInt64 { face }
}
