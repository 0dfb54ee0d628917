// The webhook URLs of an app to which nothing is sent for a time.
internal import Base
package import Postgres

/// The paused receivers.
package struct RestingReceivers: Sendable {
    /// The most that are returned.
    package static let listAtMost = 1000

    private let pool: ConnectionPool

    /// Creates reads over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The paused URLs of an app, in order, at most `listAtMost`.
    package func list(app: Int64) async throws(StoreError) -> [RestingReceiver] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT url, since, until FROM webhook_rests
                WHERE app_no = $1 AND until > statement_timestamp() ORDER BY url LIMIT $2
                """, [app, Int64(RestingReceivers.listAtMost)])
            return try rows.map { row throws(PostgresError) in
                let (url, since, until): (String, Timestamp, Timestamp) = try row.values()
                return RestingReceiver(url: url, since: since, until: until)
            }
        }
    }

    /// Removes pauses that have ended.
    ///
    /// - Parameter limit: at most so many.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func forgetOld(limit: Int) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                DELETE FROM webhook_rests WHERE (app_no, url) IN (
                    SELECT app_no, url FROM webhook_rests WHERE until < statement_timestamp()
                    LIMIT $1 FOR UPDATE SKIP LOCKED)
                """, [Int64(limit)]
            ).affected
        }
    }
}

extension Downloads {
    /// The store of paused receivers.
    package var restingReceivers: RestingReceivers { RestingReceivers(pool: pool) }
}
