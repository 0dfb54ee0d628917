// The circuit breaker of a receiver that does not answer.
package import Base

/// Counts silent tries; from the third in a row on there are pauses between tries.
///
/// `lull_record_deliveries` applies this rule to a row; a test compares both.
package struct ReceiverBreaker: Equatable, Sendable {
    /// The number of silent tries in a row that opens the breaker.
    package static let threshold = 3

    /// The pause after the third silent try in a row, and after each further one; the last pause is
    /// used for all later tries.
    package static let pauses: [Duration] = [5, 10, 20, 40, 80, 160, 300].map { .seconds($0) }

    /// Tries in a row without an answer.
    package private(set) var silentTries = 0
    /// The time at which the next try may begin; nil while the breaker is closed.
    package private(set) var halfOpenAt: Timestamp?

    /// Creates a closed breaker.
    package init() {}

    /// Whether tries are one at a time, with pauses.
    package var isOpen: Bool { silentTries >= ReceiverBreaker.threshold }

    /// Whether a try may begin.
    package func allowsTry(at now: Timestamp) -> Bool { halfOpenAt.map { $0 <= now } ?? true }

    /// Takes in the outcomes of tries that are recorded together: one answer closes it.
    ///
    /// - Parameters:
    ///   - answered: how many were answered, with any status.
    ///   - silent: how many were not.
    ///   - now: the instant of the record.
    package mutating func record(answered: Int, silent: Int, at now: Timestamp) {
        guard answered + silent > 0 else { return }
        silentTries = answered > 0 ? 0 : silentTries + silent
        guard isOpen else {
            halfOpenAt = nil
            return
        }
        let pauses = ReceiverBreaker.pauses
        halfOpenAt =
            now + pauses[min(silentTries - ReceiverBreaker.threshold, pauses.count - 1)]
    }
}
