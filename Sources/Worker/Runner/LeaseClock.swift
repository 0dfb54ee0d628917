// The lease: renewed by heartbeats, and over by the clock when no answer to one came.
internal import Platform

/// Until when this replica may act on what it claimed, by the boot clock.
struct LeaseClock {
    /// What is counted from the last renewal, before others may take over.
    let held: Duration
    private(set) var renewedAt: Int64
    /// Whether the time was over and everything was stopped, until the next renewal.
    var isOver = false

    init(_ settings: WorkerSettings) {
        held = settings.lease - settings.margin
        // Nothing was renewed by this process yet.
        renewedAt = SystemClock.bootNanoseconds() - held.nanoseconds
    }

    /// How long it still holds; zero or less when it is over.
    var left: Duration { held - .nanoseconds(SystemClock.bootNanoseconds() - renewedAt) }

    /// A renewal that was asked for at an instant and has been answered.
    mutating func renew(at instant: Int64) {
        renewedAt = max(renewedAt, instant)
        isOver = left <= .zero
    }
}

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
