// What became of wakes since the start of the process, for operators' tools.
internal import Synchronization

/// Counts wakes by what happened to them here.
package final class WakeTally: Sendable {
    /// What happens to a wake; the raw value is its name in the metric.
    package enum Event: String, Sendable, CaseIterable {
        /// Sent for the first time.
        case sent
        /// Sent again, because the client had not completed it.
        case repeated
        /// Ended without being completed.
        case abandoned
        /// All deliveries of what it announced have ended.
        case finished
    }

    private let tally = Mutex<[Event: Int64]>([:])

    init() {}

    func count(_ event: Event, _ count: Int = 1) {
        tally.withLock { $0[event, default: 0] += Int64(count) }
    }

    /// How often each happened here.
    package var counts: [(name: String, count: Int64)] {
        tally.withLock { tally in Event.allCases.map { ($0.rawValue, tally[$0] ?? 0) } }
    }
}
