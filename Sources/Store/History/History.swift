// Removes ended downloads, deliveries and sessions after their retention, a bounded number of rows
// in each step.
package import Base
package import Postgres

/// The rows that may be removed after their retention.
///
/// Each step looks at the rows behind those of the previous step and removes what is old enough, in
/// one statement; a row that has to stay longer is looked at once in each round.
package struct History: Sendable {
    /// The journal, over the same connections.
    package let journal: Journal
    private let pool: ConnectionPool

    /// Uses a pool of its own, so that other work does not wait for it.
    package init(pool: ConnectionPool) {
        self.pool = pool
        journal = Journal(pool: pool, lists: pool, changes: ChangeHub())
    }

    /// The result of a step.
    package struct Step<Key: Sendable>: Sendable {
        /// The last row that was looked at; nil at the end.
        package let last: Key?
        /// The number of removed rows.
        package let removed: Int
    }

    /// A version of a session.
    package struct SessionVersion: Sendable {
        /// The session's number.
        package let session: Int64
        /// The version.
        package let version: Int32

        /// The start, before all versions.
        package static let first = SessionVersion(session: 0, version: 0)
    }

    /// Removes downloads that ended longer than `age` ago, with their attempts and deliveries.
    ///
    /// A download stays while its file is kept, while it has an unsent webhook, and while the
    /// journal has an event of it, which is rendered from its row.
    ///
    /// - Parameters:
    ///   - last: looks at those behind this one; nil for the first.
    ///   - age: the time.
    ///   - limit: looks at most at so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: how far it came.
    /// - Throws: `unavailable` or `refused`.
    package func forgetDownloads(
        after last: Identifier?, olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Identifier> {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                """
                SELECT last, removed FROM lull_forget_downloads($1,
                    $2 * interval '1 microsecond', $3, $4)
                """,
                [last ?? Identifier(high: 0, low: 0), age.wholeMicroseconds, Int32(limit), now])[0]
            let (last, removed): (Identifier?, Int) = try row.values()
            return Step(last: last, removed: removed)
        }
    }

    /// Removes deliveries that ended longer than `age` ago; parameters as for `forgetDownloads`.
    package func forgetDeliveries(
        after last: Int64?, olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Int64> {
        try await forget(
            "lull_forget_deliveries", after: last, olderThan: age, limit: limit, until: now)
    }

    /// Removes endpoints that were deleted longer than `age` ago and have no more deliveries.
    ///
    /// - Returns: how many were removed, at most `limit`.
    /// - Throws: `unavailable` or `refused`.
    package func forgetEndpoints(
        olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_forget_endpoints($1 * interval '1 microsecond', $2, $3)",
                [age.wholeMicroseconds, Int32(limit), now])[0].only()
        }
    }

    /// Removes receivers without waiting deliveries to which nothing was sent for `age`; parameters
    /// as for `forgetDownloads`.
    package func forgetReceivers(
        after last: Int64?, olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Int64> {
        try await forget(
            "lull_forget_receivers", after: last, olderThan: age, limit: limit, until: now)
    }

    /// Removes origins that were last used longer than `age` and a day ago and that no live
    /// download has, with their gates.
    ///
    /// The parameters are those of `forgetDownloads`, which has to run before, because it marks the
    /// origins of the downloads that stay.
    package func forgetOrigins(
        after last: Int64?, olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Int64> {
        try await forget(
            "lull_forget_origins", after: last, olderThan: age, limit: limit, until: now)
    }

    /// Removes pauses that origins asked apps for, after their end.
    ///
    /// - Returns: how many were removed, at most `limit`.
    /// - Throws: `unavailable` or `refused`.
    package func forgetPushbacks(limit: Int) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_forget_pushbacks($1)", [Int32(limit)])[0].only()
        }
    }

    /// Removes versions of sessions that were replaced longer than `age` ago and that no download
    /// has, with their secrets; parameters as for `forgetDownloads`.
    package func forgetSessionVersions(
        after last: SessionVersion?, olderThan age: Duration, limit: Int,
        until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<SessionVersion> {
        let place = last ?? .first
        return try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                """
                SELECT last_session, last_version, removed FROM lull_forget_session_versions($1, $2,
                    $3 * interval '1 microsecond', $4, $5)
                """, [place.session, place.version, age.wholeMicroseconds, Int32(limit), now])[0]
            let (session, version, removed): (Int64?, Int32?, Int) = try row.values()
            return Step(
                last: session.flatMap { session in
                    version.map { SessionVersion(session: session, version: $0) }
                },
                removed: removed)
        }
    }

    /// Removes sessions that were invalidated longer than `age` ago and have no more downloads.
    ///
    /// The parameters are those of `forgetDownloads`, which has to run before.
    package func forgetSessions(
        after last: Int64?, olderThan age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Int64> {
        try await forget(
            "lull_forget_sessions", after: last, olderThan: age, limit: limit, until: now)
    }

    /// A step by an SQL function of `p_after`, `p_age` and `p_limit`.
    private func forget(
        _ function: StaticString, after last: Int64?, olderThan age: Duration, limit: Int,
        until now: Timestamp? = nil
    ) async throws(StoreError) -> Step<Int64> {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                """
                SELECT last, removed FROM \(function)(p_after => $1,
                    p_age => $2 * interval '1 microsecond', p_limit => $3, p_now => $4)
                """, [last ?? 0, age.wholeMicroseconds, Int32(limit), now])[0]
            let (last, removed): (Int64?, Int) = try row.values()
            return Step(last: last, removed: removed)
        }
    }
}
