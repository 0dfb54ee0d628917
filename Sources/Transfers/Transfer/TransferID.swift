// The identifier of one transfer, and the flag by which any thread stops it.
internal import Synchronization

/// Names one transfer of an engine; a new value for each run.
package struct TransferID: Hashable, Sendable {
    private let ticket = Ticket()

    /// Creates a new identifier.
    package init() {}

    /// Whether the transfer was cancelled; read in the callbacks, too.
    package var isCancelled: Bool { ticket.cancelled.load(ordering: .relaxed) }

    func cancel() { ticket.cancelled.store(true, ordering: .relaxed) }

    /// Compares identities.
    package static func == (left: TransferID, right: TransferID) -> Bool {
        left.ticket === right.ticket
    }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(ticket)) }

    private final class Ticket: Sendable {
        let cancelled = Atomic(false)
    }
}
