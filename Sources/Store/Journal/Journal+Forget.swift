// Removes events after their retention, in the order of the journal.
package import Base
internal import Postgres

extension Journal {
    /// The result of a step.
    package struct ForgetStep: Sendable {
        /// The place behind the last event that was looked at; nil if no other event is old.
        package let place: JournalPosition?
        /// The number of removed events.
        package let removed: Int
    }

    /// Apps whose first event is older than an instant, in order.
    ///
    /// - Parameters:
    ///   - age: the time for which events are kept.
    ///   - last: only apps with a greater number.
    ///   - limit: at most so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: their numbers.
    /// - Throws: `unavailable` or `refused`.
    package func agedApps(
        olderThan age: Duration, after last: Int64, limit: Int,
        until now: Timestamp? = nil
    ) async throws(StoreError) -> [Int64] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH RECURSIVE a AS (
                    (SELECT e.app_no FROM events e WHERE e.app_no > $2
                        ORDER BY e.app_no LIMIT 1)
                    UNION ALL
                    SELECT n.app_no FROM a CROSS JOIN LATERAL (
                        SELECT e.app_no FROM events e WHERE e.app_no > a.app_no
                        ORDER BY e.app_no LIMIT 1) n)
                SELECT a.app_no::bigint FROM a CROSS JOIN LATERAL (
                    SELECT h.at FROM events h WHERE h.app_no = a.app_no
                    ORDER BY h.xid, h.journal_no LIMIT 1) h
                WHERE h.at < least(statement_timestamp(), $4::timestamptz)
                    - $1 * interval '1 millisecond' LIMIT $3
                """, [age.wholeMilliseconds, last, Int64(limit), now])
            return try rows.column()
        }
    }

    /// Removes old events of an app, except those that an unsent webhook still needs.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - age: the time for which events are kept.
    ///   - place: looks at those behind it; nil for the first.
    ///   - limit: looks at most at so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: how far it came.
    /// - Throws: `unavailable` or `refused`.
    package func forget(
        app: Int64, olderThan age: Duration, after place: JournalPosition?, limit: Int,
        until now: Timestamp? = nil
    ) async throws(StoreError) -> ForgetStep {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let row = try await transaction.query(
                    Journal.forgetting,
                    [
                        app, "\(place?.transaction ?? 0)", place?.number ?? 0, Int64(limit),
                        age.wholeMilliseconds, now,
                    ])[0]
                let places = row.behind(Forgotten.self)
                let gone = places.behind(JournalPosition.Column.self)
                if let last = try JournalPosition(gone) {
                    try await Journal.note(last, in: transaction)
                }
                let isMore = try row.optionalBool(Forgotten.isMore) ?? false
                return ForgetStep(
                    place: isMore ? try JournalPosition(places) : nil,
                    removed: try row.get(Forgotten.removed))
            }
        }
    }

    /// The columns of the answer, before the places of the last event seen and of the removed ones.
    private enum Forgotten: Int, RowColumn {
        case removed, isMore
    }

    private static let forgetting = """
        WITH seen AS MATERIALIZED (
            SELECT e.ctid AS place, e.xid, e.journal_no,
                e.at < least(statement_timestamp(), $6::timestamptz)
                    - $5 * interval '1 millisecond' AS is_old,
                NOT EXISTS (SELECT 1 FROM deliveries d
                    WHERE d.download_id = e.download_id AND d.sequence = e.sequence
                        AND d.state < lull_delivery_state('succeeded')) AS is_free
            FROM events e
            WHERE e.app_no = $1 AND (e.xid, e.journal_no) > ($2::text::xid8, $3)
                AND e.xid < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY e.xid, e.journal_no LIMIT $4),
        gone AS (
            DELETE FROM events e USING seen s
            WHERE e.ctid = s.place AND s.is_old AND s.is_free RETURNING e.xid, e.journal_no),
        last_seen AS (SELECT * FROM seen ORDER BY xid DESC, journal_no DESC LIMIT 1),
        last_gone AS (SELECT * FROM gone ORDER BY xid DESC, journal_no DESC LIMIT 1)
        SELECT (SELECT count(*) FROM gone), (SELECT count(*) = $4 AND bool_and(is_old) FROM seen),
            s.xid::text, s.journal_no, g.xid::text, g.journal_no
        FROM (SELECT 1) one LEFT JOIN last_seen s ON true LEFT JOIN last_gone g ON true
        """

    /// Notes the last removed event; the note never moves back.
    private static func note(
        _ last: JournalPosition, in transaction: Transaction
    ) async throws(PostgresError) {
        let known = try await transaction.query(
            "SELECT value FROM settings WHERE name = $1 FOR UPDATE", [horizon])
        let earlier = try known.first?.only(as: String.self)
        if let earlier = earlier.flatMap({ JournalPosition(stored: $0) }), earlier > last { return }
        _ = try await transaction.query(
            """
            INSERT INTO settings (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [horizon, last.stored])
    }
}
