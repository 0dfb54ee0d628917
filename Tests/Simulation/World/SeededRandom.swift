// The random numbers of a world: equal for equal seeds, in every process.
internal import Seeds

/// Random numbers, with the draws that worlds are made of.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Creates the numbers of a seed.
    package init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    /// The next 64 bits.
    package mutating func next() -> UInt64 { numbers.next() }

    /// True with the given probability.
    mutating func isOne(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    /// A random duration in a range, in microseconds.
    mutating func span(_ range: ClosedRange<Int64>) -> Duration {
        .microseconds(Int64.random(in: range, using: &self))
    }
}
