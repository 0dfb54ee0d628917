// What a reader of the journal gets.
package import Core
internal import Postgres

/// One event.
package struct JournalEvent: Sendable {
    /// The place behind it: reading goes on from here.
    package let position: JournalPosition
    /// The event as every webhook tells it.
    package let message: WebhookMessage
}

/// Some events in a row.
package struct JournalPage: Sendable {
    /// In the order of the journal, or of one download's changes.
    package let events: [JournalEvent]
    /// If events behind the reader's place are no longer kept: the place behind the last of them.
    package let gap: JournalPosition?

    /// Names both.
    package init(events: [JournalEvent], gap: JournalPosition?) {
        self.events = events
        self.gap = gap
    }
}

/// What a reader of the journal wants.
package struct JournalQuery: Sendable {
    /// Whose events.
    package enum Scope: Sendable, Hashable {
        /// Those of an app, or of one of its sessions.
        case app(Int64, session: String?)
        /// Those of one download.
        case download(Identifier)
    }

    /// Whose.
    package var scope: Scope
    /// Of which types; empty for all.
    package var types: Set<EventType>

    /// Names both.
    package init(scope: Scope, types: Set<EventType> = []) {
        self.scope = scope
        self.types = types
    }
}

extension JournalEvent {
    /// The columns that `init(_:)` reads, from `e` (events) and `d` (downloads).
    static let columns = """
        e.xid::text, e.journal_no, e.id, e.type, e.download_id, e.at, e.sequence, e.attempt,
        e.payload, e.bytes, e.total_bytes, \(DerivedData.columns), \(DerivedData.result(of: "e"))
        """

    /// Where the columns come from, besides the events.
    static let tables = "LEFT JOIN downloads d ON e.payload IS NULL AND d.id = e.download_id"

    init(_ row: Row) throws(PostgresError) {
        guard let transaction = UInt64(try row.get(0, as: String.self)) else {
            throw PostgresError(.decoding, "a transaction that is no number")
        }
        position = JournalPosition(transaction: transaction, number: try row.get(1))
        guard let type = EventType(rawValue: try row.get(3)) else {
            throw PostgresError(.decoding, "an event type that this program does not know")
        }
        let download = try row.get(4, as: UUIDValue.self).identifier
        let at = try row.get(5, as: TimestampValue.self).timestamp
        let data: String
        if let payload = try row.get(8, as: String?.self) {
            data = payload
        } else {
            data = try DerivedData(
                type: type, download: download, at: at,
                sequence: Int64(try row.get(6, as: Int32.self)),
                attempt: Int(try row.get(7, as: Int32.self)),
                bytes: try row.get(9, as: Int64?.self) ?? 0, total: try row.get(10)
            ).text(row, from: 11, result: 19)
        }
        message = WebhookMessage(
            event: try row.get(2, as: UUIDValue.self).identifier, type: type, download: download,
            at: at, data: data)
    }
}
