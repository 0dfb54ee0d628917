// The outbox: due deliveries, and the results of their tries.
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
                SELECT \(DueReceiver.list)
                FROM (SELECT clock_timestamp() AS now OFFSET 0) n
                LEFT JOIN lull_due_receivers($1, $2) r ON true
                """, [full, Int32(limit)])
            var list: [DeliveryPlaces.DueReceiver] = []
            for row in rows {
                guard let number = try row.optionalInteger(DueReceiver.receiverNo) else {
                    continue
                }
                guard let standing = ReceiverStanding(rawValue: try row.get(DueReceiver.standing))
                else {
                    throw PostgresError(
                        .decoding,
                        "a receiver has a standing that this version of lull does not know")
                }
                list.append(
                    DeliveryPlaces.DueReceiver(
                        number: number, standing: standing,
                        dueAt: try row.requiredInstant(DueReceiver.nextAt)))
            }
            return DueReceivers(list: list, now: try rows[0].requiredInstant(DueReceiver.now))
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
                DueColumn.statement,
                [
                    registration.replica, grants.map(\.receiver),
                    grants.map { Int32($0.count + $0.ahead) },
                ])
            var claim = DeliveryClaim()
            var ended: [Int64] = []
            for row in rows {
                let number = try row.integer(DueColumn.deliveryNo)
                if try row.bool(DueColumn.isEnded) {
                    ended.append(number)
                    continue
                }
                do throws(PostgresError) {
                    claim.due.append(try DueDelivery(row, base: changes.base, names: changes.names))
                } catch {
                    claim.unreadable.append(
                        UnreadableDelivery(
                            number: number, id: changes.names.delivery(number),
                            receiver: try row.integer(DueColumn.receiverNo),
                            fence: try row.integer(DueColumn.fence),
                            subject: try row.identifier(DueColumn.downloadID),
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
                        AND r.next_at > statement_timestamp() - $1 * interval '1 microsecond'
                    ORDER BY r.next_at LIMIT 1) h
                """, [elapsed.wholeMicroseconds])
            return try rows[0].only(as: Int64?.self).map { .microseconds($0) }
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
            try await pool.query(
                "SELECT lull_release_deliveries($1, $2, true)", [registration.replica, known])[0]
                .only()
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
            let tried = TriedDeliveries(
                replica: registration.replica, records: records, lifetime: lifetime, rule: rule)
            var batch = [Statement(TriedDeliveries.statement, tried.values)]
            if !gone.isEmpty {
                batch.append(
                    Statement(
                        Resting.statement,
                        [gone, rest.wholeMicroseconds]))
            }
            batch.append(Statement(Outbox.erasing, [records.map(\.number)]))
            let wakes = records.filter(\.isWake).map(\.number)
            if !wakes.isEmpty { batch.append(Statement(Outbox.answering, [wakes])) }
            let rows = try await pool.query(batch: batch)
            let (overdue, names, reasons): ([Int64]?, [Identifier]?, [String]?) =
                try rows[0][0].values()
            effects.disabled = zip(names ?? [], reasons ?? []).map { ($0, $1) }
            if !gone.isEmpty {
                effects.gone = try rows[1].map { row throws(PostgresError) in
                    ReceiverGone(
                        app: try row.get(Resting.appNo), url: try row.get(Resting.url),
                        until: try row.get(Resting.until), ended: try row.get(Resting.ended))
                }
            }
            return overdue ?? []
        }
        if !effects.disabled.isEmpty { try await endpoints.refreshListeners() }
        guard !overdue.isEmpty else { return effects }
        effects.overdue = try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_give_up_overdue($1, $2 * interval '1 microsecond')",
                [overdue, lifetime.wholeMicroseconds])[0].only()
        }
        return effects
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

/// The columns of a receiver's due delivery, and the database's clock.
private enum DueReceiver: Int, RowColumn {
    case now, receiverNo, standing, nextAt

    var sql: String { (self == .now ? "n." : "r.") + columnName }
}

/// A receiver that rests from now on, and how many deliveries that ended.
private enum Resting: Int, RowColumn {
    case appNo, url, until, ended

    static let statement =
        "SELECT \(list) FROM lull_rest($1, $2 * interval '1 microsecond', 10000)"
}

/// Outcomes of tries as the parameters of `lull_record_deliveries`.
private struct TriedDeliveries {
    let replica: Int64
    let records: [DeliveryRecord]
    let lifetime: Duration
    let rule: DisableRule

    static let statement = """
        SELECT r.overdue, r.disabled, r.reasons
        FROM \(parameters.row(from: TriedDelivery.fields.count + 1))
        CROSS JOIN LATERAL lull_record_deliveries(u.replica,
            \(TriedDelivery.fields.records("tried_delivery")), u.receivers,
            ARRAY(SELECT p * interval '1 microsecond' FROM unnest(u.pauses) p),
            u.lifetime * interval '1 microsecond', ROW(u.after * interval '1 microsecond',
                u.failures, u.spread * interval '1 microsecond')::disable_rule, 1000) r
        """

    var values: [any ColumnValue] {
        TriedDeliveries.parameters.values(
            of: self, behind: TriedDelivery.fields.values(of: records))
    }

    private static let parameters: Parameters<TriedDeliveries> = [
        "replica": { $0.replica },
        "receivers": { Set($0.records.filter(\.changesReceiver).map(\.receiver)).sorted() },
        "pauses": { _ in ReceiverBreaker.pauses.map(\.wholeMicroseconds) },
        "lifetime": { $0.lifetime.wholeMicroseconds },
        "after": { $0.rule.after.wholeMicroseconds },
        "failures": { Int32(clamping: $0.rule.failures) },
        "spread": { $0.rule.spread.wholeMicroseconds },
    ]
}
