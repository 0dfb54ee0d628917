// Forecasts of some downloads, stored to be compared with reality.
package import Base
package import Postgres
package import Scheduling

/// The sample by which forecasts are scored.
package struct ForecastSamples: Sendable {
    /// A download that waits for its first begin, with its position.
    package struct Waiting: Sendable {
        /// The identifier.
        package let id: Identifier
        /// The number of its lane.
        package let lane: Int64
        /// The time at which it may begin.
        package let runAt: Timestamp
        /// The number of downloads of its lane before it, counted up to one above
        /// `AdmissionCandidate.beforeAtMost`.
        package let before: Int
    }

    /// The forecast for one download.
    package struct Sample: Sendable {
        /// The identifier.
        package var id: Identifier
        /// Seconds to its begin, as simulated, not widened.
        package var range: ForecastRange
        /// Seconds to the next known opening; nil for none.
        package var naive: Double?

        /// Creates a value with all its members.
        package init(id: Identifier, range: ForecastRange, naive: Double?) {
            self.id = id
            self.range = range
            self.naive = naive
        }
    }

    /// The result of a forecast.
    package struct Score: Sendable {
        /// The forecast, in seconds.
        package let range: ForecastRange
        /// Seconds to the next known opening; nil for none.
        package let naive: Double?
        /// Seconds to the real begin.
        package let came: Double
    }

    /// The number of forecasts in each hour.
    package static let samplesAtOnce = 40
    /// Days for which scores are kept.
    private static let days: Int32 = 7
    /// Days after which a download without a begin is no longer waited for.
    private static let waitingDays: Int32 = 30

    private enum Column: Int, RowColumn {
        case p10, p50, p90, naive, came
    }

    private static let given: Parameters<[Sample]> = [
        "download_id": { $0.map(\.id) },
        "p10": { $0.map(\.range.p10) },
        "p50": { $0.map(\.range.p50) },
        "p90": { $0.map(\.range.p90) },
        "naive": { $0.map(\.naive) },
    ]

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// Chooses some downloads that have not begun, others each hour; none if some were chosen
    /// within the last hour.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func choose() async throws(StoreError) -> [Waiting] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT q.id, q.lane_no, q.run_at, (
                    SELECT count(*) FROM (
                        SELECT 1 FROM queue b
                        WHERE b.state = lull_state('waiting') AND b.lane_no = q.lane_no
                            AND (b.run_at, b.id) < (q.run_at, q.id) LIMIT $2) z)
                FROM (
                    SELECT w.* FROM (
                        SELECT id, lane_no, run_at FROM queue
                        WHERE state = lull_state('waiting') AND attempt = 0
                        LIMIT \(ForecastReads.rowsAtMost)) w
                    ORDER BY hashtextextended(w.id::text,
                        extract(epoch FROM clock_timestamp())::bigint / 3600)
                    LIMIT $1) q
                WHERE NOT EXISTS (SELECT 1 FROM forecast_samples s
                    WHERE s.made_at > statement_timestamp() - interval '55 minutes')
                """,
                [Int64(ForecastSamples.samplesAtOnce), Int64(AdmissionCandidate.beforeAtMost + 1)])
            return try rows.map { row throws(PostgresError) in
                let (id, lane, runAt, before): (Identifier, Int64, Timestamp, Int) =
                    try row.values()
                return Waiting(id: id, lane: lane, runAt: runAt, before: before)
            }
        }
    }

    /// Keeps forecasts.
    ///
    /// - Parameters:
    ///   - samples: of different downloads.
    ///   - instant: when they were made.
    /// - Throws: `unavailable` or `refused`.
    package func keep(_ samples: [Sample], at instant: Timestamp) async throws(StoreError) {
        guard !samples.isEmpty else { return }
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                INSERT INTO forecast_samples (\(ForecastSamples.given.names), made_at)
                SELECT u.*, $1 FROM \(ForecastSamples.given.rows(from: 2))
                ON CONFLICT DO NOTHING
                """, ForecastSamples.given.values(of: samples, behind: [instant]))
        }
    }

    /// Compares forecasts with real begins, and removes old ones and those of downloads that ended
    /// without a begin.
    ///
    /// - Returns: how many were scored.
    /// - Throws: `unavailable` or `refused`.
    package func score() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                DELETE FROM forecast_samples s
                WHERE s.scored_at < statement_timestamp() - $1 * interval '1 day'
                    OR s.made_at < statement_timestamp() - $2 * interval '1 day'
                    OR s.came IS NULL AND NOT EXISTS (
                        SELECT 1 FROM queue q WHERE q.id = s.download_id)
                        AND NOT EXISTS (SELECT 1 FROM downloads d
                            WHERE d.id = s.download_id AND d.started_at IS NOT NULL)
                """, [ForecastSamples.days, ForecastSamples.waitingDays])
            let rows = try await pool.query(
                """
                UPDATE forecast_samples s
                SET came = extract(epoch FROM b.began - s.made_at), scored_at = clock_timestamp()
                FROM (
                    SELECT f.download_id, coalesce(
                        (SELECT d.started_at FROM downloads d WHERE d.id = f.download_id),
                        (SELECT q.claimed_at FROM queue q WHERE q.id = f.download_id)) AS began
                    FROM forecast_samples f WHERE f.came IS NULL GROUP BY 1) b
                WHERE s.came IS NULL AND s.download_id = b.download_id AND b.began > s.made_at
                RETURNING 1
                """)
            return rows.count
        }
    }

    /// The results of the stored forecasts, in the order of the begins.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func scores() async throws(StoreError) -> [Score] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(Column.list) FROM forecast_samples WHERE came IS NOT NULL
                ORDER BY scored_at, made_at, download_id LIMIT 50000
                """)
            return try rows.map { row throws(PostgresError) in
                Score(
                    range: ForecastRange(
                        p10: try row.get(Column.p10), p50: try row.get(Column.p50),
                        p90: try row.get(Column.p90)),
                    naive: try row.get(Column.naive), came: try row.get(Column.came))
            }
        }
    }
}
