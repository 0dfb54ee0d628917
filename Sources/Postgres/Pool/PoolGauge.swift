// How a pool is used, readable from any thread.
internal import Synchronization

/// Counts of a pool's connections, and of the waits for them.
package final class PoolGauge: Sendable {
    private let openNow = Atomic(0)
    private let idleNow = Atomic(0)
    private let waitingNow = Atomic(0)
    private let waitsEver = Atomic<Int64>(0)
    private let nanosecondsEver = Atomic<Int64>(0)
    private let refusalsEver = Atomic<Int64>(0)

    init() {}

    /// Connections that are open or being opened.
    package var open: Int { openNow.load(ordering: .relaxed) }
    /// Those among them that nothing uses.
    package var idle: Int { idleNow.load(ordering: .relaxed) }
    /// Tasks that wait for one.
    package var waiting: Int { waitingNow.load(ordering: .relaxed) }
    /// How often a task had to wait for one, until now.
    package var waits: Int64 { waitsEver.load(ordering: .relaxed) }
    /// For how long together, in seconds.
    package var waitSeconds: Double {
        Double(nanosecondsEver.load(ordering: .relaxed)) / 1_000_000_000
    }
    /// How often a task got none.
    package var refusals: Int64 { refusalsEver.load(ordering: .relaxed) }

    func setOpen(_ count: Int) { openNow.store(count, ordering: .relaxed) }

    func setIdle(_ count: Int) { idleNow.store(count, ordering: .relaxed) }

    func setWaiting(_ count: Int) { waitingNow.store(count, ordering: .relaxed) }

    /// Counts a wait that is over.
    func countWait(nanoseconds: Int64) {
        waitsEver.add(1, ordering: .relaxed)
        nanosecondsEver.add(max(0, nanoseconds), ordering: .relaxed)
    }

    /// Counts a task that got no connection.
    func countRefusal() { refusalsEver.add(1, ordering: .relaxed) }
}
