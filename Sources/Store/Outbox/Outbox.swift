// The outbox: deliveries that are due, and what became of them.
internal import Core
package import Postgres

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
    package func claim(each: Int, total: Int) async throws(StoreError) -> DeliveryClaim {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT clock_timestamp(), c.delivery_no, c.fence, c.attempt, c.url, c.type,
                    c.event_id, c.download_id, c.at, c.body, c.sequence, c.event_attempt,
                    c.bytes, c.total_bytes, c.session, c.download_url, c.priority,
                    c.earliest_begin_at, c.expected_bytes, c.spec, c.created_at, c.started_at,
                    c.traceparent, c.is_ended, c.result
                FROM lull_claim_deliveries($1, $2, $3) c
                """, [registration.replica, Int32(each), Int32(total)])
            var claim = DeliveryClaim()
            var ended: [Int64] = []
            for row in rows {
                claim.now = try row.get(0, as: TimestampValue.self).timestamp
                if try row.get(23, as: Bool.self) {
                    ended.append(try row.get(1))
                    continue
                }
                do throws(PostgresError) {
                    claim.due.append(try Outbox.delivery(row))
                } catch {
                    claim.unreadable.append(
                        UnreadableDelivery(
                            number: try row.get(1), fence: try row.get(2),
                            download: try row.get(7, as: UUIDValue.self).identifier,
                            reason: error.description))
                }
            }
            claim.ended = ended.count
            if !ended.isEmpty { _ = try await pool.query(Outbox.forgetting, [ended]) }
            return claim
        }
    }

    /// How long until the next delivery is due that was not due at the last claim.
    ///
    /// What was due then and was not claimed waits for another delivery to its receiver to end.
    ///
    /// - Parameter elapsed: the time since the claim was sent, at least.
    /// - Returns: negative for one that is due by now; nil if none waits.
    /// - Throws: `unavailable` or `refused`.
    package func nextDue(
        sinceClaim elapsed: Duration = .zero
    ) async throws(StoreError) -> Duration? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH RECURSIVE l AS (
                    (SELECT d.lane FROM deliveries d WHERE d.state = 0 ORDER BY d.lane LIMIT 1)
                    UNION ALL
                    SELECT n.lane FROM l CROSS JOIN LATERAL (
                        SELECT d.lane FROM deliveries d WHERE d.state = 0 AND d.lane > l.lane
                        ORDER BY d.lane LIMIT 1) n)
                SELECT (extract(epoch FROM min(h.run_at) - clock_timestamp()) * 1000000)::bigint
                FROM l CROSS JOIN LATERAL (
                    SELECT d.run_at FROM deliveries d
                    WHERE d.state = 0 AND d.lane = l.lane
                        AND d.run_at > clock_timestamp() - $1 * interval '1 microsecond'
                    ORDER BY d.run_at LIMIT 1) h
                """, [elapsed.wholeMicroseconds])
            return try rows[0].get(0, as: Int64?.self).map { .microseconds($0) }
        }
    }

    /// Whether other replicas write deliveries, too.
    package var isShared: Bool { registration.peers > 0 }

    /// Makes deliveries wait again that this process sends as the store has it, but does not know.
    ///
    /// Their try was never made, and is not counted.
    ///
    /// - Parameter known: what this process sends, or has not recorded; no claim may be under way.
    /// - Returns: how many there were.
    /// - Throws: `unavailable` or `refused`.
    package func releaseUnknown(known: [Int64]) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                UPDATE deliveries SET state = lull_delivery_state('pending'), replica_no = NULL,
                    fence = fence + 1, attempt = greatest(0, attempt - 1)
                WHERE state = lull_delivery_state('sending') AND replica_no = $1
                    AND delivery_no <> ALL ($2)
                """, [registration.replica, known]
            ).affected
        }
    }

    /// Records the outcomes of tries; one with an old fence changes nothing.
    ///
    /// What has ended of a download that was deleted is forgotten. A URL that answered 410 Gone
    /// rests: all that waits for it in the same app is given up.
    ///
    /// - Parameters:
    ///   - records: what became of tries.
    ///   - rest: how long a URL rests.
    /// - Returns: the URLs that rest from now on.
    /// - Throws: `unavailable` or `refused`.
    @discardableResult
    package func record(
        _ records: [DeliveryRecord], rest: Duration = Outbox.rest
    ) async throws(StoreError) -> [ReceiverGone] {
        let replica = registration.replica
        return try await sorting { () throws(PostgresError) in
            let record = Statement(
                """
                UPDATE deliveries d SET replica_no = NULL,
                    state = CASE WHEN i.delivered THEN lull_delivery_state('delivered')
                        WHEN i.next_at IS NULL THEN lull_delivery_state('given_up')
                        ELSE lull_delivery_state('pending') END,
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
            var batch = [record]
            let gone = records.filter(\.isGone).map(\.number)
            if !gone.isEmpty {
                batch.append(
                    Statement(
                        "SELECT * FROM lull_rest($1, $2 * interval '1 microsecond', 10000)",
                        [gone, rest.wholeMicroseconds]))
            }
            batch.append(Statement(Outbox.forgetting, [records.map(\.number)]))
            let rows = try await pool.query(batch: batch)
            guard !gone.isEmpty else { return [] }
            return try rows[1].map { row throws(PostgresError) in
                ReceiverGone(
                    app: try row.get(0), url: try row.get(1),
                    until: try row.get(2, as: TimestampValue.self).timestamp,
                    ended: try row.get(3))
            }
        }
    }

    /// How long a URL rests that answered 410 Gone.
    package static let rest = Duration.seconds(86_400)

    /// Ended deliveries of deleted downloads.
    private static let forgetting = """
        DELETE FROM deliveries d WHERE d.delivery_no = ANY ($1)
            AND d.state >= lull_delivery_state('delivered')
            AND NOT EXISTS (SELECT 1 FROM downloads w WHERE w.id = d.download_id)
        """

    private static func delivery(_ row: Row) throws(PostgresError) -> DueDelivery {
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
            ).text(row, from: 14, result: 24)
        }
        var message = WebhookMessage(
            event: event, type: type, download: download, at: at, data: data)
        message.traceparent = try row.get(22, as: String?.self)
        return DueDelivery(
            number: try row.get(1), fence: try row.get(2),
            attempt: Int(try row.get(3, as: Int32.self)), url: try row.get(4), type: type,
            message: message)
    }
}
