// What happened stays told as it was: before a download's row changes, its events are written out.
internal import Core
internal import Postgres

extension Downloads {
    /// Writes out what follows from a download's row: events, and webhooks that are still to be
    /// sent or are sent at the moment.
    ///
    /// The caller holds the download's lock, so that no event comes in meanwhile, and changes the
    /// row in the same transaction.
    static func keepTold(
        _ id: UUIDValue, in transaction: Transaction
    ) async throws(PostgresError) {
        // Each is told with its own bytes, also where its event is already forgotten.
        let unsent = try await transaction.query(
            """
            SELECT v.delivery_no, v.type, v.download_id, v.at, v.sequence, v.event_attempt,
                v.bytes, v.total_bytes, \(DerivedData.columns)
            FROM deliveries v JOIN downloads d ON d.id = v.download_id
            WHERE v.download_id = $1 AND v.body IS NULL AND v.state < 2
            """, [id])
        try await write(
            unsent,
            """
            UPDATE deliveries v SET body = u.data FROM unnest($2::bigint[], $3::text[]) u(no, data)
            WHERE v.download_id = $1 AND v.delivery_no = u.no
            """, of: id, in: transaction)
        let events = try await transaction.query(
            """
            SELECT e.journal_no, e.type, e.download_id, e.at, e.sequence, e.attempt,
                coalesce(b.bytes, 0), b.total_bytes, \(DerivedData.columns)
            FROM events e \(JournalEvent.tables)
            WHERE e.download_id = $1 AND e.payload IS NULL
            """, [id])
        try await write(
            events,
            """
            UPDATE events e SET payload = u.data FROM unnest($2::bigint[], $3::text[]) u(no, data)
            WHERE e.download_id = $1 AND e.journal_no = u.no
            """, of: id, in: transaction)
    }

    private static func write(
        _ rows: Rows, _ statement: String, of id: UUIDValue, in transaction: Transaction
    ) async throws(PostgresError) {
        var numbers: [Int64] = []
        var texts: [String] = []
        for row in rows {
            guard let type = EventType(rawValue: try row.get(1)) else {
                throw PostgresError(.decoding, "an event type that this program does not know")
            }
            numbers.append(try row.get(0))
            texts.append(
                try DerivedData(
                    type: type, download: try row.get(2, as: UUIDValue.self).identifier,
                    at: try row.get(3, as: TimestampValue.self).timestamp,
                    sequence: Int64(try row.get(4, as: Int32.self)),
                    attempt: Int(try row.get(5, as: Int32.self)), bytes: try row.get(6),
                    total: try row.get(7)
                ).text(row, from: 8))
        }
        guard !numbers.isEmpty else { return }
        _ = try await transaction.query(statement, [id, numbers, texts])
    }
}
