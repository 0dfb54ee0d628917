// The age of the lease, for metrics.
internal import Platform
internal import Synchronization

/// The time at which the lease was last renewed, readable from any thread.
package final class LeaseGauge: Sendable {
    private let renewedAt = Atomic<Int64>(0)

    init() {}

    /// The time since the last renewal; nil before the first.
    package var age: Duration? {
        let instant = renewedAt.load(ordering: .relaxed)
        return instant == 0 ? nil : .nanoseconds(SystemClock.bootNanoseconds() - instant)
    }

    func set(renewedAt instant: Int64) { renewedAt.store(instant, ordering: .relaxed) }
}
