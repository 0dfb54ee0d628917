// The lease: renewed by heartbeats, and ended by the clock if they are not answered.
internal import Platform

/// The time until which this replica may act on its claims, by the boot clock.
struct LeaseClock {
    /// The time for which the lease lasts from the last renewal, until before others may take over.
    let held: Duration
    private(set) var renewedAt: Int64
    /// Whether the lease has ended and everything was stopped, until the next renewal.
    var isOver = false

    init(_ settings: WorkerSettings) {
        held = settings.lease - settings.margin
        // This process has not renewed it yet.
        renewedAt = SystemClock.bootNanoseconds() - held.nanoseconds
    }

    /// The rest of the lease; zero or less if it is over.
    var left: Duration { held - .nanoseconds(SystemClock.bootNanoseconds() - renewedAt) }

    /// Notes an answered renewal, whose request was sent at an instant.
    mutating func renew(at instant: Int64) {
        renewedAt = max(renewedAt, instant)
        isOver = left <= .zero
    }
}

extension Duration {
    /// The duration in whole nanoseconds.
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
