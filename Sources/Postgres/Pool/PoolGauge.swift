// The use of a pool, readable from any thread.
internal import Synchronization

/// Counts the connections of a pool, and the waits for them.
package final class PoolGauge: Sendable {
    private let openNow = Atomic(0)
    private let idleNow = Atomic(0)
    private let waitingNow = Atomic(0)
    private let waitsEver = Atomic<Int64>(0)
    private let nanosecondsEver = Atomic<Int64>(0)
    private let refusalsEver = Atomic<Int64>(0)

    init() {}

    /// The number of connections that are open or being opened.
    package var open: Int { openNow.load(ordering: .relaxed) }
    /// The number of idle connections.
    package var idle: Int { idleNow.load(ordering: .relaxed) }
    /// The number of tasks that wait for a connection.
    package var waiting: Int { waitingNow.load(ordering: .relaxed) }
    /// The number of waits for a connection since the start.
    package var waits: Int64 { waitsEver.load(ordering: .relaxed) }
    /// The total time of these waits, in seconds.
    package var waitSeconds: Double {
        Double(nanosecondsEver.load(ordering: .relaxed)) / 1_000_000_000
    }
    /// The number of tasks that got no connection.
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
