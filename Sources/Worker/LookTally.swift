// Counts of looks since the start of the process, for metrics.
internal import Scheduling
internal import Synchronization

/// Counts looks of sources by their outcomes, and knows whether one runs anywhere.
package final class LookTally: Sendable {
    private struct Key: Hashable {
        let outcome: LookOutcome
        let reason: SkipReason?
    }

    /// What became of an item of a feed.
    package enum ItemOutcome: String, CaseIterable, Sendable {
        /// Its download was created.
        case queued
        /// It is known without a download.
        case passedOver = "passed_over"
        /// No download can be made for it.
        case refused
        /// The app has no room for it; the next look queues it.
        case left = "quota"
    }

    private let tally = Mutex<[Key: Int64]>([:])
    private let items = Mutex<[ItemOutcome: Int64]>([:])
    private let open = Atomic(false)

    init() {}

    /// Whether the end of a download may be the end of a look.
    var isOpen: Bool {
        get { open.load(ordering: .relaxed) }
        set { open.store(newValue, ordering: .relaxed) }
    }

    func count(_ outcome: LookOutcome, because reason: SkipReason? = nil, _ count: Int64 = 1) {
        tally.withLock { $0[Key(outcome: outcome, reason: reason), default: 0] += count }
    }

    func countItems(_ outcome: ItemOutcome, _ count: Int) {
        items.withLock { $0[outcome, default: 0] += Int64(count) }
    }

    /// The number of items of feeds of each outcome.
    package var itemCounts: [(outcome: String, count: Int64)] {
        items.withLock { items in
            ItemOutcome.allCases.map { ($0.rawValue, items[$0] ?? 0) }
        }
    }

    /// The number of looks of each outcome, and of skipped instants for each reason.
    package var counts: [(outcome: String, reason: String, count: Int64)] {
        tally.withLock { tally in
            LookOutcome.allCases.flatMap { outcome in
                let reasons: [SkipReason?] =
                    outcome == .skipped ? SkipReason.allCases.map { $0 } : [nil]
                return reasons.map {
                    (
                        outcome.name, $0?.rawValue ?? "",
                        tally[Key(outcome: outcome, reason: $0)] ?? 0
                    )
                }
            }
        }
    }
}
