package import Base
package import Downloads
internal import Postgres

/// The numbers of a session's downloads, their bytes and their speed.
package struct SessionFigures: Sendable {
    /// The bound up to which downloads of each state are counted.
    package static let countedAtMost = 10_000

    /// The number of downloads in each state.
    package var counts: [DownloadState: Int64] = [:]
    /// The received bytes of the counted downloads.
    package var bytes: Int64 = 0
    /// The sum of the speeds of running downloads, in bytes a second.
    package var bytesPerSecond: Int64 = 0
    /// The time at which the last download was created.
    package var lastCreatedAt: Timestamp?
    /// Whether everything was counted.
    package var isComplete = true
}

extension Sessions {
    /// Counts a session's downloads, up to a number in each state.
    ///
    /// - Parameter session: its key.
    /// - Returns: the figures.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func figures(of session: Int64) async throws(StoreError) -> SessionFigures {
        try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                Sessions.counting, [session, Int64(SessionFigures.countedAtMost)])
            var figures = SessionFigures()
            for row in rows {
                let (status, count, bytes, rate): (Int64, Int64, Int64, Int64) = try row.values()
                guard let state = DownloadState(number: status) else { continue }
                figures.counts[state, default: 0] += count
                figures.bytes += bytes
                figures.bytesPerSecond += rate
                if count >= Int64(SessionFigures.countedAtMost) { figures.isComplete = false }
            }
            figures.lastCreatedAt = try await pool.query(
                """
                SELECT d.created_at FROM downloads d WHERE d.session_no = $1
                ORDER BY d.id DESC LIMIT 1
                """, [session]
            ).first?.only()
            return figures
        }
    }

    /// Waiting rows are counted by the session's lanes, running ones among all running rows, the
    /// others by indexes.
    private static let counting = """
        SELECT lull_state('waiting'), count(*), coalesce(sum(z.bytes), 0)::bigint, 0::bigint
        FROM (
            SELECT q.bytes FROM lanes l
            JOIN queue q ON q.lane_no = l.lane_no AND q.state = lull_state('waiting')
            WHERE l.session_no = $1 LIMIT $2) z
        UNION ALL
        SELECT \(DownloadRecord.liveStatus), count(*),
            coalesce(sum(q.bytes), 0)::bigint, coalesce(sum(q.bytes_per_second), 0)::bigint
        FROM queue q WHERE q.session_no = $1 AND q.state = lull_state('running') GROUP BY 1
        UNION ALL
        SELECT \(DownloadRecord.liveStatus), count(*), coalesce(sum(q.bytes), 0)::bigint, 0::bigint
        FROM (
            SELECT q.state, q.control, q.bytes, q.lane_flags FROM queue q
            WHERE q.session_no = $1 AND q.state > lull_state('running') LIMIT $2) q GROUP BY 1
        UNION ALL
        SELECT z.state, count(*), coalesce(sum(z.bytes), 0)::bigint, 0::bigint FROM (
            SELECT d.state, d.bytes FROM downloads d
            WHERE d.session_no = $1 AND d.state IS NOT NULL
            ORDER BY d.id DESC LIMIT $2) z GROUP BY 1
        """
}
