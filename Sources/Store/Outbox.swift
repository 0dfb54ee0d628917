// The outbox: deliveries that are due, and what became of them.
package import Core
package import Postgres

/// A delivery that this replica is to try now.
package struct DueDelivery: Sendable {
    /// Its key.
    package let number: Int64
    /// The fence of this try.
    package let fence: Int64
    /// The number of this try, from 1.
    package let attempt: Int
    /// Where to.
    package let url: String
    /// The event's type.
    package let type: EventType
    /// What is sent, the same bytes on every try.
    package let message: WebhookMessage
}

/// What became of a try.
package struct DeliveryRecord: Sendable {
    /// The delivery.
    package var number: Int64
    /// The fence of the try.
    package var fence: Int64
    /// When to try again; nil ends it.
    package var nextAt: Timestamp?
    /// Whether a 2xx came.
    package var isDelivered: Bool
    /// The receiver's status.
    package var status: Int?
    /// What went wrong, one sentence.
    package var error: String?

    /// Names all of it.
    package init(
        number: Int64, fence: Int64, nextAt: Timestamp?, isDelivered: Bool, status: Int?,
        error: String?
    ) {
        self.number = number
        self.fence = fence
        self.nextAt = nextAt
        self.isDelivered = isDelivered
        self.status = status
        self.error = error
    }
}

/// One replica's hand on the outbox.
package struct Outbox: Sendable {
    private let pool: ConnectionPool
    private let registration: Registration

    /// Takes deliveries for this process, under the lease that it holds at the moment.
    package init(pool: ConnectionPool, registration: Registration) {
        self.pool = pool
        self.registration = registration
    }

    /// Claims due deliveries.
    ///
    /// - Parameters:
    ///   - each: at most so many at once for one receiver.
    ///   - total: at most so many in all.
    /// - Returns: the deliveries, and the database's clock.
    /// - Throws: `leaseLost`, `unavailable` or `refused`.
    package func claim(
        each: Int, total: Int
    ) async throws(StoreError) -> (due: [DueDelivery], now: Timestamp) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT clock_timestamp(), c.delivery_no, c.fence, c.attempt, c.url, c.type,
                    c.event_id, c.download_id, c.at, c.body, c.sequence, c.event_attempt,
                    c.bytes, c.total_bytes
                FROM lull_claim_deliveries($1, $2, $3) c
                """, [registration.replica, Int32(each), Int32(total)])
            guard let first = rows.first else { return ([], .epoch) }
            // A statement of its own: the claim may take what was committed after it had begun,
            // and then its own snapshot would not have the download.
            let downloads = try await pool.query(
                """
                SELECT \(DerivedData.columns), d.spec->>'traceparent'
                FROM unnest($1::uuid[]) WITH ORDINALITY i(id, place)
                LEFT JOIN downloads d ON d.id = i.id ORDER BY i.place
                """,
                [
                    try rows.map { row throws(PostgresError) in
                        try row.get(7, as: UUIDValue.self)
                    }
                ])
            var due: [DueDelivery] = []
            for (row, download) in zip(rows, downloads) {
                due.append(try Outbox.delivery(row, of: download))
            }
            return (due, try first.get(0, as: TimestampValue.self).timestamp)
        }
    }

    /// Writes what became of tries; a try whose fence moved on is another's.
    package func record(_ records: [DeliveryRecord]) async throws(StoreError) {
        let replica = registration.replica
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                UPDATE deliveries d SET replica_no = NULL,
                    state = CASE WHEN i.delivered THEN 2 WHEN i.next_at IS NULL THEN 3 ELSE 0 END,
                    run_at = coalesce(i.next_at, d.run_at), last_status = i.status,
                    last_error = i.error,
                    finished_at = CASE WHEN i.delivered OR i.next_at IS NULL
                        THEN clock_timestamp() END
                FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::bool[], $6::int[],
                    $7::text[]) i(number, fence, next_at, delivered, status, error)
                -- One with a replica is being sent; see lull_finish for why that is not said.
                WHERE d.delivery_no = i.number AND d.fence = i.fence AND d.replica_no = $1
                """,
                [
                    replica, records.map(\.number), records.map(\.fence),
                    records.map { $0.nextAt.map { TimestampValue($0) } },
                    records.map(\.isDelivered), records.map { $0.status.map { Int32($0) } },
                    records.map(\.error),
                ])
        }
    }

    private static func delivery(
        _ row: Row, of downloadRow: Row
    ) throws(PostgresError) -> DueDelivery {
        guard let type = EventType(rawValue: try row.get(5)) else {
            throw PostgresError(.decoding, "an event type that this program does not know")
        }
        let event = try row.get(6, as: UUIDValue.self).identifier
        let download = try row.get(7, as: UUIDValue.self).identifier
        let at = try row.get(8, as: TimestampValue.self).timestamp
        let data: String
        if let body = try row.get(9, as: String?.self) {
            data = body
        } else {
            data = try DerivedData(
                type: type, download: download, at: at,
                sequence: Int64(try row.get(10, as: Int32.self)),
                attempt: Int(try row.get(11, as: Int32.self)), bytes: try row.get(12),
                total: try row.get(13)
            ).text(downloadRow, from: 0)
        }
        var message = WebhookMessage(
            event: event, type: type, download: download, at: at, data: data)
        message.traceparent = try downloadRow.get(8, as: String?.self)
        return DueDelivery(
            number: try row.get(1), fence: try row.get(2),
            attempt: Int(try row.get(3, as: Int32.self)), url: try row.get(4), type: type,
            message: message)
    }
}
