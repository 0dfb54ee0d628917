// Counts the steps that `WorkMeter` reports.
import Synchronization

/// A number that grows.
final class Counter: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func add(_ steps: Int) { state.withLock { $0 += steps } }
}
