// Random events with a chance of one in a whole number.
import Simulation

extension SeededRandom {
    /// True with a chance of one in `count`.
    mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
