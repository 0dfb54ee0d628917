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
    /// The columns that `init(_:)` reads, of `e` (events) and `d` (downloads).
    static let columns = "\(EventColumn.list), \(ShownColumn.list(ofEvent: "e"))"

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
        typealias Column = EventColumn
        guard let transaction = UInt64(try row.text(Column.transaction)) else {
            throw PostgresError(.decoding, "a transaction identifier is not a number")
        }
        position = JournalPosition(
            transaction: transaction, number: try row.integer(Column.journalNo))
        guard let type = EventType(rawValue: try row.get(Column.type)) else {
            throw PostgresError(
                .decoding, "an event has a type that this version of lull does not know")
        }
        let download = try row.identifier(Column.downloadID)
        let at = try row.requiredInstant(Column.at)
        let data: String
        if let payload = try row.get(Column.payload, as: String?.self) {
            data = try names.data(payload, of: type)
        } else {
            data = try DerivedData(
                type: type, download: download, at: at,
                sequence: try row.integer(Column.sequence),
                attempt: try row.get(Column.attempt),
                bytes: try row.optionalInteger(Column.bytes) ?? 0,
                total: try row.optionalInteger(Column.totalBytes)
            ).text(row.behind(Column.self))
        }
        message = WebhookMessage(
            event: names.event(try row.identifier(Column.eventID)), type: type,
            subject: names.subject(download, of: type), at: at, data: data,
            app: try row.get(Column.app, as: String?.self) ?? "", base: base)
    }

    /// The columns of a statement behind those of the event.
    static func rest(_ row: Row) -> Row {
        row.behind(EventColumn.self).behind(ShownColumn.self)
    }
}
