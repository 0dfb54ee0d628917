// The life of a session: suspended, resumed, ended.
internal import Downloads
internal import Postgres

extension Sessions {
    /// The ways to end a session.
    package enum End: Sendable {
        /// At once; only without live downloads.
        case empty
        /// After its downloads have ended.
        case finishing
    }

    /// Suspends a session, whose runs wait again, or lets its downloads run again.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - identifier: the client's name for it.
    ///   - isSuspended: which of both.
    ///   - condition: judges the session under its lock.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func suspend(
        app: Int64, identifier: String, _ isSuspended: Bool,
        where condition: @escaping @Sendable (SessionRecord) -> Bool = { _ in true }
    ) async throws(StoreError) -> SessionChange {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> SessionChange in
                guard let old = try await Sessions.locked(app, identifier, in: transaction),
                    old.state != .invalidated
                else { return .notFound }
                guard condition(old) else { return .refused(old) }
                guard old.state != .invalidating else { return .closing(old) }
                let state: SessionState = isSuspended ? .suspended : .active
                guard old.state != state else { return .done(old, stopping: []) }
                let record = try await Sessions.move(old.key, to: state, in: transaction)
                try await Sessions.limit(record, in: transaction)
                guard isSuspended else { return .done(record, stopping: []) }
                // The gate is locked, so no claim can come after this look.
                let rows = try await transaction.query(
                    """
                    UPDATE queue q SET control = lull_order('yield') FROM (
                        SELECT z.id FROM queue z
                        WHERE z.session_no = $1 AND z.state = lull_state('running')
                            AND z.control = lull_order('none')
                        ORDER BY z.id FOR UPDATE) r
                    WHERE q.id = r.id RETURNING q.id
                    """, [record.key])
                return .done(record, stopping: try rows.column())
            }
        }
    }

    /// Ends a session.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - identifier: the client's name for it.
    ///   - end: how.
    ///   - condition: judges the session under its lock.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func end(
        app: Int64, identifier: String, _ end: End,
        where condition: @escaping @Sendable (SessionRecord) -> Bool = { _ in true }
    ) async throws(StoreError) -> SessionChange {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> SessionChange in
                guard let old = try await Sessions.locked(app, identifier, in: transaction)
                else { return .notFound }
                guard condition(old) else { return .refused(old) }
                // After every create in progress; a later create sees the end.
                _ = try await transaction.query(
                    "SELECT pg_advisory_xact_lock(5499, lull_session_lock($1))", [old.key])
                switch end {
                case .empty:
                    let isLive = try await transaction.query(
                        "SELECT lull_session_is_live($1)", [old.key])[0].only(as: Bool.self)
                    guard !isLive else { return .notEmpty(old) }
                    let record = try await Sessions.move(
                        old.key, to: .invalidated, in: transaction)
                    try await Sessions.retire(old.key, in: transaction)
                    return .done(record, stopping: [])
                case .finishing:
                    guard old.state != .invalidated else { return .done(old, stopping: []) }
                    let record = try await Sessions.move(
                        old.key, to: .invalidating, in: transaction)
                    // A suspended session runs to the end of its downloads.
                    try await Sessions.limit(record, in: transaction)
                    _ = try await transaction.query(
                        """
                        INSERT INTO session_news (session_no, kind)
                        VALUES ($1, lull_session_news('ended'))
                        """, [old.key])
                    return .done(record, stopping: [])
                }
            }
        }
    }

    private static func move(
        _ key: Int64, to state: SessionState, in transaction: Transaction
    ) async throws(PostgresError) -> SessionRecord {
        try record(
            try await transaction.query(
                """
                UPDATE sessions SET state = $2, updated_at = clock_timestamp(),
                    suspensions = lull_suspensions(
                        suspensions, $2 = lull_session_state('suspended'), clock_timestamp())
                WHERE session_no = $1 RETURNING \(columns)
                """, [key, state.rawValue])[0])
    }
}
