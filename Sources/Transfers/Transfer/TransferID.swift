// The name of one transfer in flight, and the flag by which it is stopped from anywhere.
internal import Synchronization

/// Names one transfer of an engine; a new value for each run.
package struct TransferID: Hashable, Sendable {
    private let ticket = Ticket()

    /// A name that no other transfer has.
    package init() {}

    /// Whether the transfer was cancelled; read in the byte callback too.
    package var isCancelled: Bool { ticket.cancelled.load(ordering: .relaxed) }

    func cancel() { ticket.cancelled.store(true, ordering: .relaxed) }

    /// Identity of the transfer.
    package static func == (left: TransferID, right: TransferID) -> Bool {
        left.ticket === right.ticket
    }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(ticket)) }

    private final class Ticket: Sendable {
        let cancelled = Atomic(false)
    }
}
