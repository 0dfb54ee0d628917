package import Downloads
internal import Postgres

/// One event.
package struct JournalEvent: Sendable {
    /// The position after it: reading continues here.
    package let position: JournalPosition
    /// The event as webhooks send it.
    package let message: WebhookMessage
}

extension JournalEvent {
    /// The columns that `init(_:)` reads, from `e` (events) and `d` (downloads).
    static let columns = """
        e.xid::text, e.journal_no, lull_event_id(e.at, e.journal_no, e.xid), e.type,
        e.download_id, e.at, e.sequence, e.attempt, e.payload, e.bytes, e.total_bytes,
        \(DerivedData.columns), \(DerivedData.result(of: "e")),
        (SELECT a.name FROM apps a WHERE a.app_no = e.app_no)
        """

    /// The number of these columns.
    static let columnCount = 21

    /// The tables of these columns, beside the events.
    static let tables = "LEFT JOIN downloads d ON e.payload IS NULL AND d.id = e.download_id"

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - row: begins with the columns.
    ///   - base: what comes before the paths of this deployment.
    ///   - names: how clients see it.
    /// - Throws: `decoding`.
    init(_ row: Row, base: String, names: PublicNames) throws(PostgresError) {
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
            data = try names.data(payload, of: type)
        } else {
            data = try DerivedData(
                type: type, download: download, at: at,
                sequence: Int64(try row.get(6, as: Int32.self)),
                attempt: Int(try row.get(7, as: Int32.self)),
                bytes: try row.get(9, as: Int64?.self) ?? 0, total: try row.get(10)
            ).text(row, from: 11, result: 19)
        }
        message = WebhookMessage(
            event: names.event(try row.get(2, as: UUIDValue.self).identifier), type: type,
            subject: names.subject(download, of: type), at: at, data: data,
            app: try row.get(20, as: String?.self) ?? "", base: base)
    }
}
