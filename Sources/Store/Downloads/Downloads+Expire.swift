// Ends downloads after their deadline.
package import Base
package import Downloads
internal import Postgres

extension Downloads {
    /// Fails downloads after their deadline that do not run; a running one ends itself.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    ///   - blockers: what holds one that waits back.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func expire(
        limit: Int, until now: Timestamp? = nil,
        blockers: @escaping @Sendable (DownloadRecord) -> [Blocker] = { _ in [] }
    ) async throws(StoreError) -> Int {
        let late = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT q.id, d.app_no FROM queue q LEFT JOIN downloads d ON d.id = q.id
                WHERE q.state <> lull_state('running')
                    AND q.deadline <= least(statement_timestamp(), $2::timestamptz)
                LIMIT $1
                """, [Int64(limit), now])
            return try rows.map { row throws(PostgresError) in
                try row.values() as (Identifier, Int64?)
            }
        }
        for (id, app) in late {
            try await sorting { () throws(PostgresError) in
                try await pool.transaction { transaction throws(PostgresError) in
                    try await Downloads.expire(
                        id, app: app, until: now, blockers: blockers, in: transaction)
                }
            }
        }
        changes.changed(late.map(\.0))
        return late.count
    }

    /// The first deadline of a download that does not run; nil if none waits.
    package func nextDeadline() async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT min(deadline) FROM queue WHERE state <> lull_state('running')")[0]
                .only()
        }
    }

    private static func expire(
        _ id: Identifier, app: Int64?, until now: Timestamp?,
        blockers: @Sendable (DownloadRecord) -> [Blocker], in transaction: Transaction
    ) async throws(PostgresError) {
        let held = try await transaction.query(
            """
            SELECT 1 FROM queue WHERE id = $1 AND state <> lull_state('running')
                AND deadline <= least(statement_timestamp(), $2::timestamptz)
            FOR UPDATE
            """, [id, now])
        guard !held.isEmpty else { return }
        let row = try await transaction.query(findStatement, [id, app]).first
        var found: DownloadRecord?
        do throws(PostgresError) {
            found = try row.map { row throws(PostgresError) in try DownloadRecord(row) }
        } catch {
            found = nil
        }
        // A download that cannot be read would stay overdue, and block others behind it.
        guard var record = found else { return try await endUnreadable(id, in: transaction) }
        try await end(
            &record, as: .failed, error: .resourceTimeout(waitingFor: blockers(record)),
            in: transaction)
    }

    private static func endUnreadable(
        _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let (attempt, sequence, now): (Int, Int64, Timestamp) = try await transaction.query(
            """
            SELECT attempt, sequence, greatest(clock_timestamp(), state_since) FROM queue
            WHERE id = $1
            """, [id])[0].values()
        let download = Download(
            unreadable: id, attempt: attempt, sequence: sequence + 1, at: now)
        _ = try await transaction.query(
            """
            WITH erased AS (DELETE FROM download_secrets WHERE id = $1)
            SELECT lull_keep_results(ARRAY[ROW(q.id, $4::timestamptz, NULL, q.bytes, NULL,
                q.attempt, $2::int, lull_state('failed'), $3::jsonb, q.app_no)::download_results])
            FROM queue q WHERE q.id = $1
            """, [id, Int32(download.sequence), JSONText(download.result.text(as: .stored)), now])
        try await note(
            .failed, of: download, at: now, isReadable: false, in: transaction)
        try await endFlights(of: [id], in: transaction)
        try await leaveQueue(id, in: transaction)
    }
}
