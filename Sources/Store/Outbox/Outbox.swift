// The outbox: deliveries that are due, and what became of them.
package import Core
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

    /// The receivers of which something is due.
    ///
    /// - Parameters:
    ///   - full: receivers that hold all the places that they may.
    ///   - limit: at most so many of each standing.
    /// - Returns: the receivers, and the database's clock.
    /// - Throws: `unavailable` or `refused`.
    package func due(full: [Int64], limit: Int) async throws(StoreError) -> DueReceivers {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT n.now, r.receiver_no, r.standing, r.next_at
                FROM (SELECT clock_timestamp() AS now OFFSET 0) n
                LEFT JOIN lull_due_receivers($1, $2) r ON true
                """, [full, Int32(limit)])
            var list: [DeliveryPlaces.DueReceiver] = []
            for row in rows {
                guard let number = try row.get(1, as: Int64?.self) else { continue }
                guard let standing = ReceiverStanding(rawValue: try row.get(2)) else {
                    throw PostgresError(.decoding, "a standing that this program does not know")
                }
                list.append(
                    DeliveryPlaces.DueReceiver(
                        number: number, standing: standing,
                        dueAt: try row.get(3, as: TimestampValue.self).timestamp))
            }
            return DueReceivers(
                list: list, now: try rows[0].get(0, as: TimestampValue.self).timestamp)
        }
    }

    /// Claims due deliveries.
    ///
    /// - Parameter grants: of which receivers, and how many of each at most.
    /// - Returns: the deliveries.
    /// - Throws: `leaseLost`, `unavailable` or `refused`.
    package func claim(
        _ grants: [DeliveryPlaces.Grant]
    ) async throws(StoreError) -> DeliveryClaim {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT * FROM lull_claim_deliveries($1, $2, $3)",
                [
                    registration.replica, grants.map(\.receiver),
                    grants.map { Int32($0.count) },
                ])
            var claim = DeliveryClaim()
            var ended: [Int64] = []
            for row in rows {
                if try row.get(6, as: Bool.self) {
                    ended.append(try row.get(0))
                    continue
                }
                do throws(PostgresError) {
                    claim.due.append(try Outbox.delivery(row))
                } catch {
                    claim.unreadable.append(
                        UnreadableDelivery(
                            number: try row.get(0), receiver: try row.get(1),
                            fence: try row.get(5),
                            download: try row.get(2, as: UUIDValue.self).identifier,
                            reason: error.description))
                }
            }
            claim.ended = ended.count
            if !ended.isEmpty { _ = try await pool.query(Outbox.forgetting, [ended]) }
            return claim
        }
    }

    /// How long until something is due that was not due at the last look.
    ///
    /// What was due then and was not claimed waits for a place.
    ///
    /// - Parameter elapsed: the time since the look was sent, at least.
    /// - Returns: negative for what is due by now; nil if nothing waits.
    /// - Throws: `unavailable` or `refused`.
    package func nextDue(
        sinceLook elapsed: Duration = .zero
    ) async throws(StoreError) -> Duration? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT (extract(epoch FROM min(h.next_at) - clock_timestamp()) * 1000000)::bigint
                FROM unnest(ARRAY[0, 1, 2]::smallint[]) s(kind) CROSS JOIN LATERAL (
                    SELECT r.next_at FROM receivers r
                    WHERE r.standing = s.kind AND r.next_at < 'infinity'
                        AND r.next_at > clock_timestamp() - $1 * interval '1 microsecond'
                    ORDER BY r.next_at LIMIT 1) h
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
            let rows = try await pool.query(
                "SELECT lull_release_deliveries($1, $2, true)", [registration.replica, known])
            return Int(try rows[0].get(0, as: Int32.self))
        }
    }

    /// Records the outcomes of tries; one with an old fence changes nothing.
    ///
    /// What has ended of a download that was deleted is forgotten. A URL that answered 410 Gone
    /// rests: all that waits for it in the same app is given up. So is what has waited longer than
    /// `lifetime` for a receiver that does not answer.
    ///
    /// - Parameters:
    ///   - records: what became of tries.
    ///   - rest: how long a URL rests.
    ///   - lifetime: how long a delivery may wait for a receiver that does not answer.
    /// - Returns: the URLs that rest from now on, and how many deliveries were given up untried.
    /// - Throws: `unavailable` or `refused`.
    @discardableResult
    package func record(
        _ records: [DeliveryRecord], rest: Duration = Outbox.rest,
        lifetime: Duration = DeliverySchedule.standard.lifetime
    ) async throws(StoreError) -> (gone: [ReceiverGone], overdue: Int) {
        let replica = registration.replica
        return try await sorting { () throws(PostgresError) in
            let record = Statement(
                """
                SELECT lull_record_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9,
                    ARRAY(SELECT p * interval '1 microsecond' FROM unnest($10::bigint[]) p),
                    $11 * interval '1 microsecond', 1000)
                """,
                [
                    replica, records.map(\.number), records.map(\.fence),
                    records.map { $0.nextAt.map { TimestampValue($0) } },
                    records.map(\.isDelivered), records.map { $0.status.map { Int32($0) } },
                    records.map(\.error), records.map(\.isSilent),
                    Set(records.filter(\.changesReceiver).map(\.receiver)).sorted(),
                    ReceiverBreaker.pauses.map(\.wholeMicroseconds), lifetime.wholeMicroseconds,
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
            let overdue = Int(try rows[0][0].get(0, as: Int32.self))
            guard !gone.isEmpty else { return ([], overdue) }
            let resting = try rows[1].map { row throws(PostgresError) in
                ReceiverGone(
                    app: try row.get(0), url: try row.get(1),
                    until: try row.get(2, as: TimestampValue.self).timestamp,
                    ended: try row.get(3))
            }
            return (resting, overdue)
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
        guard let number = try row.get(8, as: Int16?.self) else {
            throw PostgresError(.decoding, "its event is not kept any more")
        }
        guard let type = EventType(rawValue: number) else {
            throw PostgresError(.decoding, "an event type that this program does not know")
        }
        let download = try row.get(2, as: UUIDValue.self).identifier
        let at = try row.get(9, as: TimestampValue.self).timestamp
        let data: String
        if let payload = try row.get(14, as: String?.self) {
            data = payload
        } else {
            data = try DerivedData(
                type: type, download: download, at: at,
                sequence: Int64(try row.get(10, as: Int32.self)),
                attempt: Int(try row.get(11, as: Int32.self)), bytes: try row.get(12),
                total: try row.get(13)
            ).text(row, from: 16, result: 24)
        }
        var message = WebhookMessage(
            event: try row.get(7, as: UUIDValue.self).identifier, type: type, download: download,
            at: at, data: data)
        message.traceparent = try row.get(15, as: String?.self)
        return DueDelivery(
            number: try row.get(0), receiver: try row.get(1), fence: try row.get(5),
            attempt: Int(try row.get(4, as: Int32.self)), url: try row.get(3), type: type,
            message: message)
    }
}
