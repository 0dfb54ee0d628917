// The outbox: deliveries that are due, and what became of them.
internal import Base
package import Downloads
package import Postgres

/// The outbox from the point of view of one replica.
package struct Outbox: Sendable {
    private let pool: ConnectionPool
    private let registration: Registration
    private let changes: ChangeHub

    /// Creates an outbox for this process, under its current lease.
    ///
    /// - Parameters:
    ///   - pool: the connections.
    ///   - registration: the replica.
    ///   - changes: what this process knows of endpoints.
    package init(
        pool: ConnectionPool, registration: Registration, changes: ChangeHub = ChangeHub()
    ) {
        self.pool = pool
        self.registration = registration
        self.changes = changes
    }

    /// The store of endpoints.
    package var endpoints: Endpoints { Endpoints(pool: pool, changes: changes) }

    /// The receivers with due deliveries.
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
    /// - Parameter grants: of which receivers, and how many of each at most; those that are to wait
    ///   for places are included.
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
                    grants.map { Int32($0.count + $0.ahead) },
                ])
            var claim = DeliveryClaim()
            var ended: [Int64] = []
            for row in rows {
                if try row.get(6, as: Bool.self) {
                    ended.append(try row.get(0))
                    continue
                }
                do throws(PostgresError) {
                    claim.due.append(try DueDelivery(row, base: changes.base, names: changes.names))
                } catch {
                    let number: Int64 = try row.get(0)
                    claim.unreadable.append(
                        UnreadableDelivery(
                            number: number, id: changes.names.delivery(number),
                            receiver: try row.get(1),
                            fence: try row.get(5),
                            subject: try row.get(2, as: UUIDValue.self).identifier,
                            reason: error.description))
                }
            }
            claim.ended = ended.count
            if !ended.isEmpty { _ = try await pool.query(Outbox.erasing, [ended]) }
            return claim
        }
    }

    /// The time until a delivery becomes due that was not due at the last look.
    ///
    /// Deliveries that were due then and were not claimed wait for a place.
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

    /// Releases deliveries that the store has as sent by this process and that it does not know.
    ///
    /// Such a try was never made, and is not counted.
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

    /// Records the results of tries; one with an old fence changes nothing.
    ///
    /// An ended delivery of a deleted download is erased. A URL that answered 410 Gone is paused:
    /// all waiting deliveries of the app for it are abandoned; an endpoint is disabled instead. A
    /// delivery that has waited longer than `lifetime` for a receiver that does not answer is given
    /// up.
    ///
    /// - Parameters:
    ///   - records: what became of tries.
    ///   - rest: how long a URL rests.
    ///   - lifetime: how long a delivery may wait for a receiver that does not answer.
    ///   - rule: when an endpoint is disabled.
    /// - Returns: the URLs that rest from now on, how many deliveries were given up untried, and
    ///   the endpoints that were disabled.
    /// - Throws: `unavailable` or `refused`.
    @discardableResult
    package func record(
        _ records: [DeliveryRecord], rest: Duration = Outbox.rest,
        lifetime: Duration = DeliverySchedule.standard.lifetime, rule: DisableRule = .standard
    ) async throws(StoreError) -> DeliveryEffects {
        var effects = DeliveryEffects()
        let overdue = try await sorting { () throws(PostgresError) in
            let gone = records.filter(\.isGone).map(\.number)
            var batch = [statement(records, lifetime, rule)]
            if !gone.isEmpty {
                batch.append(
                    Statement(
                        "SELECT * FROM lull_rest($1, $2 * interval '1 microsecond', 10000)",
                        [gone, rest.wholeMicroseconds]))
            }
            batch.append(Statement(Outbox.erasing, [records.map(\.number)]))
            let wakes = records.filter(\.isWake).map(\.number)
            if !wakes.isEmpty { batch.append(Statement(Outbox.answering, [wakes])) }
            let rows = try await pool.query(batch: batch)
            let row = rows[0][0]
            let names = try row.get(1, as: [UUIDValue]?.self) ?? []
            let reasons = try row.get(2, as: [String]?.self) ?? []
            effects.disabled = zip(names, reasons).map { ($0.identifier, $1) }
            if !gone.isEmpty {
                effects.gone = try rows[1].map { row throws(PostgresError) in
                    ReceiverGone(
                        app: try row.get(0), url: try row.get(1),
                        until: try row.get(2, as: TimestampValue.self).timestamp,
                        ended: try row.get(3))
                }
            }
            return try row.get(0, as: [Int64]?.self) ?? []
        }
        if !effects.disabled.isEmpty { try await endpoints.refreshListeners() }
        guard !overdue.isEmpty else { return effects }
        effects.overdue = try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                "SELECT lull_give_up_overdue($1, $2 * interval '1 microsecond')",
                [overdue, lifetime.wholeMicroseconds])[0]
            return Int(try row.get(0, as: Int32.self))
        }
        return effects
    }

    private func statement(
        _ records: [DeliveryRecord], _ lifetime: Duration, _ rule: DisableRule
    ) -> Statement {
        Statement(
            """
            SELECT overdue, disabled, reasons FROM lull_record_deliveries($1, $2, $3, $4, $5, $6,
                $7, $8, $9, $10, $11,
                ARRAY(SELECT p * interval '1 microsecond' FROM unnest($12::bigint[]) p),
                $13 * interval '1 microsecond', $14 * interval '1 microsecond', $15,
                $16 * interval '1 microsecond', 1000)
            """,
            [
                registration.replica, records.map(\.number), records.map(\.fence),
                records.map { $0.nextAt.map { TimestampValue($0) } },
                records.map(\.isDelivered), records.map { $0.status.map { Int32($0) } },
                records.map(\.error), records.map(\.isSilent),
                records.map { $0.kept.map { JSONText(JSON.object($0.json).text) } },
                records.map { $0.milliseconds.map { Int32(clamping: $0) } },
                Set(records.filter(\.changesReceiver).map(\.receiver)).sorted(),
                ReceiverBreaker.pauses.map(\.wholeMicroseconds), lifetime.wholeMicroseconds,
                rule.after.wholeMicroseconds, Int32(clamping: rule.failures),
                rule.spread.wholeMicroseconds,
            ])
    }

    /// The time for which a URL is paused after 410 Gone.
    package static let rest = Duration.seconds(86_400)

    /// The sessions of wakes whose webhooks have an outcome, which are looked at then.
    private static let answering = """
        INSERT INTO session_news (session_no, kind)
        SELECT DISTINCT k.session_no, lull_session_news('answered')
        FROM deliveries d JOIN wakes k ON k.wake_id = d.download_id
        WHERE d.delivery_no = ANY ($1)
        """

    /// The visible data of ended deliveries of deleted downloads.
    private static let erasing = """
        UPDATE deliveries d SET url = NULL, last_error = NULL, tries = NULL, payload = NULL
        WHERE d.delivery_no = ANY ($1) AND d.payload IS NOT NULL
            AND d.state >= lull_delivery_state('succeeded')
        """
}
