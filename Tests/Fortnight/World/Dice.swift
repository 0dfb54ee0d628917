// Random numbers of a world: equal for equal seeds, in every process.
import Foundation
import Seeds

/// Random numbers of a seed, and the distributions from which a world is made.
struct Dice: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    /// Random numbers of their own for each list of keys, so that a further draw changes no other.
    init(seed: UInt64, _ keys: Int...) {
        var mixed = seed
        for key in keys {
            var dice = Dice(seed: mixed ^ UInt64(bitPattern: Int64(key)) &* 0xd6e8_feb8_6659_fd93)
            mixed = dice.next()
        }
        numbers = SplitMix64(seed: mixed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// Evenly from 0 to 1.
    mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }

    /// True with the probability given.
    mutating func isOne(_ probability: Double) -> Bool { unit() < probability }

    /// From the standard normal distribution (Box and Muller 1958).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * Double.pi * unit())
    }

    /// Log-normal with the median 1.
    mutating func lognormal(_ sigma: Double) -> Double { exp(sigma * normal()) }

    /// Pareto with the least value 1.
    mutating func pareto(_ shape: Double) -> Double { pow(1 - unit(), -1 / shape) }
}
