// Stores the data of events that follow from a download's row, before the row changes.
internal import Base
internal import Downloads
internal import Postgres

extension Downloads {
    private enum Column: Int, RowColumn {
        case journalNo, type, downloadID, at, sequence, attempt, bytes, totalBytes
    }

    /// Stores the data of a download's events that follows from its row; webhooks are rendered from
    /// their events.
    ///
    /// The caller holds the lock of the download, so that no event is added meanwhile, and changes
    /// the row in the same transaction. It has to call this before it changes a column that
    /// `DerivedData` reads, except for the start of the first attempt, and for the changes of the
    /// result at the end of the content.
    static func materializeEvents(
        of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let events = try await transaction.query(
            """
            SELECT \(Column.list(of: "e")), \(ShownColumn.list(ofEvent: "e"))
            FROM events e JOIN downloads d ON d.id = e.download_id
            WHERE e.download_id = $1 AND e.payload IS NULL
            """, [id])
        try await write(
            events,
            """
            UPDATE events e SET payload = u.data FROM unnest($2::bigint[], $3::text[]) u(no, data)
            WHERE e.download_id = $1 AND e.journal_no = u.no
            """, of: id, in: transaction)
    }

    /// Stores the data of a download's events with their unsent webhooks.
    ///
    /// The caller holds the lock of the download and deletes it in the same transaction. A webhook
    /// that is being sent has its data already, which does not change when it is sent again.
    static func keepUnsentData(
        of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let unsent = "v.download_id = $1 AND v.state < lull_delivery_state('succeeded')"
        let isAny: Bool = try await transaction.query(
            "SELECT EXISTS (SELECT 1 FROM deliveries v WHERE \(unsent))", [id])[0].only()
        guard isAny else { return }
        try await materializeEvents(of: id, in: transaction)
        _ = try await transaction.query(
            """
            UPDATE deliveries v SET payload = e.payload FROM events e
            WHERE \(unsent) AND e.download_id = v.download_id AND e.sequence = v.sequence
            """, [id])
    }

    private static func write(
        _ rows: Rows, _ statement: String, of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        var numbers: [Int64] = []
        var texts: [String] = []
        for row in rows {
            guard let type = EventType(rawValue: try row.get(Column.type)) else {
                throw PostgresError(
                    .decoding, "an event has a type that this version of lull does not know")
            }
            numbers.append(try row.get(Column.journalNo))
            texts.append(
                try DerivedData(
                    type: type, download: try row.get(Column.downloadID),
                    at: try row.get(Column.at), sequence: try row.get(Column.sequence),
                    attempt: try row.get(Column.attempt),
                    bytes: try row.get(Column.bytes, as: Int64?.self) ?? 0,
                    total: try row.get(Column.totalBytes)
                ).text(row.behind(Column.self)))
        }
        guard !numbers.isEmpty else { return }
        _ = try await transaction.query(statement, [id, numbers, texts])
    }
}
