// Counts of looks since the start of the process, for metrics.
internal import Scheduling
internal import Synchronization

/// Counts looks of sources by their outcomes, and knows whether one runs anywhere.
package final class LookTally: Sendable {
    private struct Key: Hashable {
        let outcome: LookOutcome
        let reason: SkipReason?
    }

    private let tally = Mutex<[Key: Int64]>([:])
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
