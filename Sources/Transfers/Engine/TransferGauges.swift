// Numbers of the engine, readable from any thread.
internal import Synchronization

/// Counts that the engine's thread keeps.
package final class TransferGauges: Sendable {
    private let bytes = Atomic<Int64>(0)
    private let sent = Atomic<Int64>(0)
    private let transfers = Atomic(0)
    private let held = Atomic(0)
    private let bodies = Atomic(0)
    private let limit = Atomic<Int64>(-1)

    init() {}

    /// Received bytes of bodies since the engine's start, without those of redirects.
    package var receivedBytes: Int64 { bytes.load(ordering: .relaxed) }
    /// Bytes of bodies that were taken from their sources since the engine's start, again for each
    /// time that they were sent.
    package var sentBytes: Int64 { sent.load(ordering: .relaxed) }
    /// Transfers that have begun and not ended.
    package var running: Int { transfers.load(ordering: .relaxed) }
    /// Running transfers whose head was received.
    package var inBody: Int { bodies.load(ordering: .relaxed) }
    /// Running transfers that are paused by a rate limit.
    package var waitingForBandwidth: Int { held.load(ordering: .relaxed) }
    /// The limit of all transfers together in bytes a second; nil without one.
    package var limitOfAll: Int64? {
        let limit = limit.load(ordering: .relaxed)
        return limit < 0 ? nil : limit
    }

    func count(bytes count: Int) { bytes.add(Int64(count), ordering: .relaxed) }

    func count(sent count: Int) { sent.add(Int64(count), ordering: .relaxed) }

    func setRunning(_ count: Int) { transfers.store(count, ordering: .relaxed) }

    func countInBody(_ change: Int) { bodies.add(change, ordering: .relaxed) }

    func countHeld(_ change: Int) { held.add(change, ordering: .relaxed) }

    func setLimit(_ limit: Int64?) { self.limit.store(limit ?? -1, ordering: .relaxed) }
}
