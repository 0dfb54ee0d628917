// Counts of wakes since the start of the process, for metrics.
internal import Synchronization

/// Counts wakes by the events that happened to them here.
package final class WakeTally: Sendable {
    /// An event of a wake; the raw value is its name in the metric.
    package enum Event: String, Sendable, CaseIterable {
        /// It was sent for the first time.
        case sent
        /// It was sent again, because the client had not completed it.
        case repeated
        /// It ended without being completed.
        case abandoned
        /// All deliveries that it announced have ended.
        case finished
    }

    private let tally = Mutex<[Event: Int64]>([:])

    init() {}

    func count(_ event: Event, _ count: Int = 1) {
        tally.withLock { $0[event, default: 0] += Int64(count) }
    }

    /// The number of times that each event happened here.
    package var counts: [(name: String, count: Int64)] {
        tally.withLock { tally in Event.allCases.map { ($0.rawValue, tally[$0] ?? 0) } }
    }
}
