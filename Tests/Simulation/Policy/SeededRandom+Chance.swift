// Chances of whole numbers.
import Simulation

extension SeededRandom {
    /// True once in so many times.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
