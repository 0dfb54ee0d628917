// Maintains the queue's own tables: removes unused lanes, and keeps the numbers of live downloads.
package import Base
internal import Postgres

/// The lanes and numbers of the queue, for duties and quotas.
package struct QueueUpkeep: Sendable {
    let pool: ConnectionPool

    /// The result of a walk over some lanes.
    package struct LaneWalk: Sendable {
        /// The last lane that was seen; nil at the end.
        package let last: Int64?
        /// The number of removed lanes.
        package let removed: Int64
        /// The number of lanes with an earlier row than they showed, which are corrected.
        package let wrong: Int64
    }

    /// Removes lanes that have been empty since an instant, and checks the others.
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
                [after, Int32(limit), before])[0]
            let (last, removed, wrong): (Int64?, Int64, Int64) = try row.values()
            return LaneWalk(last: last, removed: removed, wrong: wrong)
        }
    }

    /// The number of live downloads of an app: a sum of changes, not a count of rows.
    package func queued(app: Int64) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT coalesce(sum(change), 0)::bigint FROM queued_counts WHERE app_no = $1",
                [app])[0].only()
        }
    }

    /// Merges the changes of these numbers.
    ///
    /// - Parameter limit: at most so many changes.
    /// - Returns: how many rows there are less.
    /// - Throws: `unavailable` or `refused`.
    package func sumQueued(limit: Int) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_sum_queued($1)", [Int32(limit)])[0].only()
        }
    }

    /// Compares these numbers with the rows, and corrects them.
    ///
    /// - Returns: how many apps had a wrong one.
    /// - Throws: `unavailable` or `refused`.
    package func auditQueued() async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_audit_queued()")[0].only()
        }
    }
}
