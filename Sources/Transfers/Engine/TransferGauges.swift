// Gauges of the engine, readable from any thread.
internal import Synchronization

/// Counts kept by the engine's thread, readable from any thread.
package final class TransferGauges: Sendable {
    private let bytes = Atomic<Int64>(0)
    private let transfers = Atomic(0)
    private let held = Atomic(0)
    private let bodies = Atomic(0)
    private let limit = Atomic<Int64>(-1)

    init() {}

    /// Bytes of bodies that transfers took since the engine's start, without those of redirects.
    package var receivedBytes: Int64 { bytes.load(ordering: .relaxed) }
    /// Transfers that have begun and not ended.
    package var running: Int { transfers.load(ordering: .relaxed) }
    /// Those among them whose answer's head is here and whose body comes.
    package var inBody: Int { bodies.load(ordering: .relaxed) }
    /// Those among them that are paused until a limit allows them more.
    package var waitingForBandwidth: Int { held.load(ordering: .relaxed) }
    /// Bytes a second that all transfers together may receive; nil without a limit.
    package var limitOfAll: Int64? {
        let limit = limit.load(ordering: .relaxed)
        return limit < 0 ? nil : limit
    }

    func count(bytes count: Int) { bytes.add(Int64(count), ordering: .relaxed) }

    func setRunning(_ count: Int) { transfers.store(count, ordering: .relaxed) }

    func countInBody(_ change: Int) { bodies.add(change, ordering: .relaxed) }

    func countHeld(_ change: Int) { held.add(change, ordering: .relaxed) }

    func setLimit(_ limit: Int64?) { self.limit.store(limit ?? -1, ordering: .relaxed) }
}
