// The journal: every change of every download, read without loss.
internal import Core
internal import Postgres

/// The events of the deployment, oldest first.
package struct Journal: Sendable {
    /// How long events are kept.
    package static let kept = Duration.seconds(30 * 86_400)

    private static let horizon = "journal_horizon"

    let pool: ConnectionPool
    let changes: ChangeHub

    /// The events behind a place.
    ///
    /// An app's events come in the order of their transactions. A transaction may commit after one
    /// with a higher number, so nothing is read above the oldest one that still runs: a reader who
    /// goes on from the last event never misses one. One download's events come in the order of its
    /// changes and at once, because these follow each other.
    ///
    /// - Parameters:
    ///   - query: the app, sessions and types.
    ///   - position: nil for the oldest that is kept.
    ///   - limit: at most so many.
    /// - Returns: the events, none at the end.
    /// - Throws: `unavailable` or `refused`.
    package func read(
        _ query: JournalQuery, after position: JournalPosition?, limit: Int
    ) async throws(StoreError) -> JournalPage {
        try await sorting { () throws(PostgresError) in
            let statement = Journal.statement(query, position, limit)
            // The horizon second: what is removed in between shows as a gap, never as nothing.
            let rows = try await pool.query(batch: [
                statement,
                Statement("SELECT value FROM settings WHERE name = $1", [Journal.horizon]),
            ])
            var events: [JournalEvent] = []
            for row in rows[0] { events.append(try JournalEvent(row)) }
            let horizon = try rows[1].first?.get(0, as: String.self)
            let lost = horizon.flatMap { JournalPosition($0) }
            let gap = position.flatMap { position in lost.flatMap { position < $0 ? $0 : nil } }
            return JournalPage(events: events, gap: gap)
        }
    }

    /// The place behind everything that can be read now.
    package func end() async throws(StoreError) -> JournalPosition {
        let text = try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0]
                .get(0, as: String.self)
        }
        guard let transaction = UInt64(text) else {
            throw StoreError(.refused, "a transaction that is no number")
        }
        return JournalPosition(transaction: transaction, number: 0)
    }

    /// Removes events that are older than `kept`.
    ///
    /// - Parameters:
    ///   - age: older events are removed.
    ///   - limit: at most so many.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func forget(
        olderThan age: Duration = kept, limit: Int
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let gone = try await transaction.query(
                    """
                    WITH RECURSIVE s AS (
                        (SELECT e.session_no FROM events e ORDER BY e.session_no LIMIT 1)
                        UNION ALL
                        SELECT n.session_no FROM s CROSS JOIN LATERAL (
                            SELECT e.session_no FROM events e WHERE e.session_no > s.session_no
                            ORDER BY e.session_no LIMIT 1) n),
                    old AS MATERIALIZED (
                        SELECT o.part, o.place FROM s CROSS JOIN LATERAL (
                            SELECT h.at FROM events h WHERE h.session_no = s.session_no
                            ORDER BY h.xid, h.journal_no LIMIT 1) h
                        CROSS JOIN LATERAL (
                            SELECT e.tableoid AS part, e.ctid AS place, e.at FROM events e
                            WHERE e.session_no = s.session_no AND h.at < clock_timestamp() - $1
                                    * interval '1 millisecond'
                                AND e.xid < pg_snapshot_xmin(pg_current_snapshot())
                            ORDER BY e.xid, e.journal_no LIMIT $2) o
                        WHERE o.at < clock_timestamp() - $1 * interval '1 millisecond' LIMIT $2)
                    DELETE FROM events e USING old o
                    WHERE e.tableoid = o.part AND e.ctid = o.place
                    RETURNING e.xid::text, e.journal_no
                    """, [age.wholeMilliseconds, Int64(limit)])
                var last: JournalPosition?
                for row in gone {
                    guard let xid = UInt64(try row.get(0, as: String.self)) else { continue }
                    let place = JournalPosition(transaction: xid, number: try row.get(1))
                    last = max(last ?? place, place)
                }
                if let last { try await Journal.note(last, in: transaction) }
                return gone.count
            }
        }
    }

    /// Notes the last event that was removed; it never moves back.
    private static func note(
        _ last: JournalPosition, in transaction: Transaction
    ) async throws(PostgresError) {
        let known = try await transaction.query(
            "SELECT value FROM settings WHERE name = $1 FOR UPDATE", [horizon])
        let earlier = try known.first?.get(0, as: String.self)
        if let earlier = earlier.flatMap({ JournalPosition($0) }), earlier > last { return }
        _ = try await transaction.query(
            """
            INSERT INTO settings (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [horizon, last.text])
    }

    private static func statement(
        _ query: JournalQuery, _ position: JournalPosition?, _ limit: Int
    ) -> Statement {
        let place: [any ColumnValue] = [
            "\(position?.transaction ?? 0)", position?.number ?? 0,
            query.types.map(\.rawValue).sorted(), Int64(limit),
        ]
        switch query.scope {
        case .app(let app, let session): return Statement(ofApp, place + [app, session])
        case .download(let id): return Statement(ofDownload, place + [UUIDValue(id)])
        }
    }

    private static let ofApp = """
        SELECT \(JournalEvent.columns) FROM (
            SELECT n.* FROM sessions s CROSS JOIN LATERAL (
                SELECT * FROM events e
                WHERE e.session_no = s.session_no AND (e.xid, e.journal_no) > ($1::text::xid8, $2)
                    AND e.xid < pg_snapshot_xmin(pg_current_snapshot())
                    AND (cardinality($3::smallint[]) = 0 OR e.type = ANY ($3))
                ORDER BY e.xid, e.journal_no LIMIT $4) n
            WHERE s.app_no = $5 AND ($6::text IS NULL OR s.identifier = $6)
            ORDER BY n.xid, n.journal_no LIMIT $4) e
        \(JournalEvent.tables) ORDER BY e.xid, e.journal_no
        """

    private static let ofDownload = """
        SELECT \(JournalEvent.columns) FROM (
            SELECT n.* FROM events n LEFT JOIN events m
                ON m.download_id = $5 AND m.xid = $1::text::xid8 AND m.journal_no = $2
            WHERE n.download_id = $5
                AND (cardinality($3::smallint[]) = 0 OR n.type = ANY ($3))
                AND CASE WHEN m.journal_no IS NULL THEN (n.xid, n.journal_no) > ($1::text::xid8, $2)
                    ELSE (n.sequence, n.journal_no) > (m.sequence, m.journal_no) END
            ORDER BY n.sequence, n.journal_no LIMIT $4) e
        \(JournalEvent.tables) ORDER BY e.sequence, e.journal_no
        """
}

extension Downloads {
    /// What happened to them.
    package var journal: Journal { Journal(pool: pool, changes: changes) }
}
