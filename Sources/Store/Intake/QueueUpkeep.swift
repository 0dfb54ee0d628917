// What keeps the queue's own tables: lanes that are not needed, and numbers of live downloads.
package import Core
internal import Postgres

/// The lanes and the numbers of the queue, as duties and quotas ask for them.
package struct QueueUpkeep: Sendable {
    let pool: ConnectionPool

    /// What a walk over some lanes found.
    package struct LaneWalk: Sendable {
        /// The last lane that was seen; nil at the end.
        package let last: Int64?
        /// How many lanes were removed.
        package let removed: Int64
        /// How many lanes had a row before their time, which is set right.
        package let wrong: Int64
    }

    /// Removes lanes that nothing has waited in since an instant, and checks the others.
    ///
    /// - Parameters:
    ///   - after: only lanes behind this one.
    ///   - limit: at most so many.
    ///   - before: lanes that were needed later stay.
    /// - Returns: what was found.
    /// - Throws: `unavailable` or `refused`.
    package func forgetLanes(
        after: Int64, limit: Int, before: Timestamp
    ) async throws(StoreError) -> LaneWalk {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                "SELECT last, removed::bigint, wrong::bigint FROM lull_forget_lanes($1, $2, $3)",
                [after, Int32(limit), TimestampValue(before)])[0]
            return LaneWalk(
                last: try row.get(0), removed: try row.get(1), wrong: try row.get(2))
        }
    }

    /// The number of live downloads of an app: a sum of changes, no count of rows.
    package func queued(app: Int64) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT coalesce(sum(change), 0)::bigint FROM queued_counts WHERE app_no = $1",
                [app])[0].get(0)
        }
    }

    /// Sums up the changes of those numbers.
    ///
    /// - Parameter limit: at most so many changes.
    /// - Returns: how many rows there are less.
    /// - Throws: `unavailable` or `refused`.
    package func sumQueued(limit: Int) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_sum_queued($1)", [Int32(limit)])[0].get(0)
        }
    }

    /// Compares those numbers with the rows, and sets them right.
    ///
    /// - Returns: how many apps had a wrong one.
    /// - Throws: `unavailable` or `refused`.
    package func auditQueued() async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_audit_queued()")[0].get(0)
        }
    }
}
