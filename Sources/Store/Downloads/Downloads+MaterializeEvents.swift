// Before a download's row changes, the data of its events that follow from the row is stored.
internal import Downloads
internal import Postgres

extension Downloads {
    /// Stores the data of a download's events that follows from its row; webhooks are rendered from
    /// their events.
    ///
    /// The caller holds the lock of the download, so that no event is added meanwhile, and changes
    /// the row in the same transaction. It has to call this before it changes a column that
    /// `DerivedData` reads, except for the start of the first attempt, and for the changes of the
    /// result at the end of the content.
    static func materializeEvents(
        of id: UUIDValue, in transaction: Transaction
    ) async throws(PostgresError) {
        let events = try await transaction.query(
            """
            SELECT e.journal_no, e.type, e.download_id, e.at, e.sequence, e.attempt,
                coalesce(e.bytes, 0), e.total_bytes, \(DerivedData.columns),
                \(DerivedData.result(of: "e"))
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
        of id: UUIDValue, in transaction: Transaction
    ) async throws(PostgresError) {
        let unsent = "v.download_id = $1 AND v.state < lull_delivery_state('succeeded')"
        let isAny = try await transaction.query(
            "SELECT EXISTS (SELECT 1 FROM deliveries v WHERE \(unsent))", [id])[0]
        guard try isAny.get(0, as: Bool.self) else { return }
        try await materializeEvents(of: id, in: transaction)
        _ = try await transaction.query(
            """
            UPDATE deliveries v SET payload = e.payload FROM events e
            WHERE \(unsent) AND e.download_id = v.download_id AND e.sequence = v.sequence
            """, [id])
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
                ).text(row, from: 8, result: 16))
        }
        guard !numbers.isEmpty else { return }
        _ = try await transaction.query(statement, [id, numbers, texts])
    }
}
