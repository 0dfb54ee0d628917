// Finds the place in the journal of an event's identifier, which receivers of webhooks have.
package import Base
internal import Postgres

extension Journal {
    /// The place behind an event.
    ///
    /// - Parameters:
    ///   - event: its identifier, as clients see it.
    ///   - app: the event's app.
    /// - Returns: nil if the app has no such event, or has it no more.
    /// - Throws: `unavailable` or `refused`.
    package func locate(
        _ event: Identifier, app: Int64
    ) async throws(StoreError) -> JournalPosition? {
        let event = changes.names.storedEvent(event)
        let next = try await nextTransaction()
        guard
            let transaction = JournalPosition.transaction(
                endingAs: event.low & JournalPosition.endOfTransaction, notAfter: next)
        else { return nil }
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT e.journal_no FROM events e
                WHERE e.app_no = $3 AND e.xid = $1::text::xid8
                    AND lull_event_id(e.at, e.journal_no, e.xid) = $2 LIMIT 1
                """, ["\(transaction)", event, app])
            guard let row = rows.first else { return nil }
            return JournalPosition(transaction: transaction, number: try row.only())
        }
    }
}

extension Journal {
    /// The number of the next transaction.
    private func nextTransaction() async throws(StoreError) -> UInt64 {
        let text = try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")[0]
                .only(as: String.self)
        }
        guard let number = UInt64(text) else {
            throw StoreError(.refused, "a transaction identifier is not a number")
        }
        return number
    }
}

extension JournalPosition {
    /// The columns of a place; a transaction is selected as text.
    enum Column: Int, RowColumn {
        case transaction, number
    }

    /// The place in the first columns of a row; nil for NULL.
    init?(_ row: Row) throws(PostgresError) {
        let text = try row.get(Column.transaction, as: String?.self)
        guard let number = try row.optionalInteger(Column.number),
            let transaction = text.flatMap({ UInt64($0) })
        else { return nil }
        self.init(transaction: transaction, number: number)
    }

    /// The bits of a transaction's number that the identifiers of its events have
    /// (`lull_event_id`).
    static let endOfTransaction: UInt64 = 0xf_ffff_ffff

    /// The newest transaction whose number ends with these bits.
    ///
    /// These bits repeat after 69 thousand million transactions, which is longer than events are
    /// kept at 26,000 transactions a second.
    ///
    /// - Returns: nil if there was none up to `newest`.
    static func transaction(endingAs end: UInt64, notAfter newest: UInt64) -> UInt64? {
        let distance = (newest &- end) & endOfTransaction
        return distance > newest ? nil : newest - distance
    }
}
