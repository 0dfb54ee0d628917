// Counts of delivery attempts since the start of the process, for metrics.
internal import Synchronization

/// Counts attempts by the outcome of their delivery.
package final class DeliveryTally: Sendable {
    /// The outcome of a delivery.
    package enum Outcome: String, Sendable, CaseIterable {
        /// Delivered.
        case delivered
        /// To be tried again.
        case retried
        /// Ended without success.
        case givenUp = "given_up"
    }

    private struct State {
        var counts: [Outcome: Int64] = [:]
        var gone: Int64 = 0
    }

    private let state = Mutex(State())

    init() {}

    func count(_ outcome: Outcome, _ number: Int = 1) {
        state.withLock { $0.counts[outcome, default: 0] += Int64(number) }
    }

    func countGone() { state.withLock { $0.gone += 1 } }

    /// How many deliveries had this outcome.
    package func ended(_ outcome: Outcome) -> Int64 {
        state.withLock { $0.counts[outcome] ?? 0 }
    }

    /// How often a receiver answered 410 Gone.
    package var receiversGone: Int64 { state.withLock { $0.gone } }
}
