// The suspensions of sessions, by which waits are divided.
internal import Base
package import Downloads
internal import Postgres

extension Sessions {
    /// The suspensions of a session.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func suspensions(of session: Int64) async throws(StoreError) -> Suspensions {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [Sessions.suspensions(of: [session])])
            return try Sessions.suspensions(rows[0])[session] ?? Suspensions()
        }
    }

    /// Reads the suspensions of sessions: one row for each change, in order.
    static func suspensions(of sessions: [Int64]) -> Statement {
        Statement(
            """
            SELECT s.session_no, u.at, clock_timestamp() FROM sessions s
            CROSS JOIN LATERAL unnest(s.suspensions) WITH ORDINALITY u(at, place)
            WHERE s.session_no = ANY ($1) ORDER BY s.session_no, u.place
            """, [sessions])
    }

    static func suspensions(_ rows: Rows) throws(PostgresError) -> [Int64: Suspensions] {
        guard !rows.isEmpty else { return [:] }
        var until = Timestamp.epoch
        var changes: [Int64: [Timestamp]] = [:]
        for row in rows {
            let (session, at, now): (Int64, Timestamp, Timestamp) = try row.values()
            changes[session, default: []].append(at)
            until = now
        }
        return changes.mapValues { Suspensions(changes: $0, until: until) }
    }
}
