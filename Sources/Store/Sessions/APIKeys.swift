// The API keys of apps, of which only digests are stored.
package import Downloads
package import Postgres

/// The API keys of all apps.
package struct APIKeys: Sendable {
    let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// Stores the digest of a new key; a missing app is created, with its default session.
    ///
    /// - Parameters:
    ///   - app: the app's name.
    ///   - digest: SHA-256 of the key's text, 32 bytes.
    ///   - scopes: what the key opens.
    ///   - limits: a change to the limits of the app, in the same commit.
    /// - Returns: the key's number.
    /// - Throws: `unavailable` or `refused`.
    package func create(
        app: String, digest: [UInt8], scopes: Set<KeyScope> = KeyScope.standard,
        limits: AppLimitChange = AppLimitChange()
    ) async throws(StoreError) -> Int64 {
        try await insert(app, digest, APIKeys.names(of: scopes), limits)
    }

    static func names(of scopes: Set<KeyScope>) -> [String] {
        KeyScope.allCases.filter(scopes.contains).map(\.rawValue)
    }

    private func insert(
        _ app: String, _ digest: [UInt8], _ scopes: [String], _ limits: AppLimitChange
    ) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query(
                    """
                    WITH a AS (
                        INSERT INTO apps (name) VALUES ($1) ON CONFLICT DO NOTHING
                        RETURNING app_no),
                    s AS (
                        INSERT INTO sessions (app_no, identifier) SELECT app_no, 'default' FROM a
                        RETURNING session_no, version, configuration)
                    INSERT INTO session_versions (session_no, version, configuration)
                    SELECT session_no, version, configuration FROM s
                    """, [app])
                let rows = try await transaction.query(
                    """
                    INSERT INTO api_keys (app_no, digest, scopes)
                    SELECT app_no, $2, $3 FROM apps WHERE name = $1
                    RETURNING key_no
                    """, [app, digest, scopes])
                try await APIKeys.write(limits, ofApp: app, in: transaction)
                return try rows[0].only()
            }
        }
    }

    /// The grant of a valid key, or nil; notes its use once a minute at most.
    package func grant(ofDigest digest: [UInt8]) async throws(StoreError) -> KeyGrant? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH k AS (
                    SELECT * FROM api_keys WHERE digest = $1 AND revoked_at IS NULL),
                used AS (
                    UPDATE api_keys SET last_used_at = clock_timestamp() WHERE key_no IN (
                        SELECT key_no FROM k WHERE last_used_at IS NULL
                            OR last_used_at < statement_timestamp() - interval '1 minute'))
                SELECT \(GrantColumn.list)
                FROM k JOIN apps a ON a.app_no = k.app_no
                """, [digest])
            return try rows.first.map { row throws(PostgresError) in
                try APIKeys.grant(row)
            }
        }
    }

    /// The grants of the valid ones among some keys; notes no use of them.
    ///
    /// - Parameter digests: the digests of the keys.
    /// - Returns: the grants by digest; a key that is not valid is left out.
    /// - Throws: `unavailable` or `refused`.
    package func grants(
        ofDigests digests: [[UInt8]]
    ) async throws(StoreError) -> [[UInt8]: KeyGrant] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(GrantColumn.list), k.digest
                FROM api_keys k JOIN apps a ON a.app_no = k.app_no
                WHERE k.digest = ANY($1) AND k.revoked_at IS NULL
                """, [digests])
            var grants: [[UInt8]: KeyGrant] = [:]
            for row in rows {
                grants[try row.behind(GrantColumn.self).only()] = try APIKeys.grant(row)
            }
            return grants
        }
    }

    private static func grant(_ row: Row) throws(PostgresError) -> KeyGrant {
        KeyGrant(
            app: try row.get(GrantColumn.appNo),
            scopes: Set(
                try row.get(GrantColumn.scopes, as: [String].self)
                    .compactMap { KeyScope(rawValue: $0) }),
            number: try row.get(GrantColumn.keyNo),
            requestsPerSecond: try row.get(GrantColumn.requestsPerSecond),
            queuedAtMost: try row.get(GrantColumn.queuedAtMost),
            stagedBytesAtMost: try row.get(GrantColumn.stagedBytesAtMost))
    }

    /// Changes limits of an app, and reads all of them.
    ///
    /// - Returns: the limits after the change; nil if there is no such app.
    /// - Throws: `unavailable` or `refused`.
    package func limit(
        app: String, _ change: AppLimitChange = AppLimitChange()
    ) async throws(StoreError) -> AppLimits? {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                try await APIKeys.write(change, ofApp: app, in: transaction)
                return try await APIKeys.limits(ofApp: app, in: transaction)
            }
        }
    }

    private static func limits(
        ofApp app: String, in transaction: Transaction
    ) async throws(PostgresError) -> AppLimits? {
        let rows = try await transaction.query(
            """
            SELECT \(LimitColumn.list) FROM apps a
            LEFT JOIN gates g ON g.kind = lull_gate('app') AND g.key = a.app_no
            WHERE a.name = $1
            """, [app])
        return try rows.first.map { row throws(PostgresError) in
            AppLimits(
                requestsPerSecond: try row.get(LimitColumn.requestsPerSecond),
                queued: try row.get(LimitColumn.queuedAtMost),
                running: try row.get(LimitColumn.runningLimit),
                stagedBytes: try row.get(LimitColumn.stagedBytesAtMost))
        }
    }

    static func write(
        _ change: AppLimitChange, ofApp app: String, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE apps SET
                requests_per_second = CASE WHEN $2 THEN $3 ELSE requests_per_second END,
                queued_at_most = CASE WHEN $4 THEN $5 ELSE queued_at_most END,
                staged_bytes_at_most = CASE WHEN $6 THEN $7 ELSE staged_bytes_at_most END
            WHERE name = $1
            """,
            [
                app, change.requestsPerSecond.isChanged, change.requestsPerSecond.value,
                change.queued.isChanged, change.queued.value, change.stagedBytes.isChanged,
                change.stagedBytes.value,
            ])
        guard change.running.isChanged else { return }
        _ = try await transaction.query(
            """
            SELECT lull_make_gates(ARRAY[lull_gate('app')], ARRAY[app_no])
            FROM apps WHERE name = $1
            """, [app])
        _ = try await transaction.query(
            """
            UPDATE gates g SET running_limit = $2 FROM apps a
            WHERE a.name = $1 AND g.kind = lull_gate('app') AND g.key = a.app_no
            """, [app, change.running.value])
    }
}

/// A column of what a key grants: of `k` (api_keys) and `a` (apps).
private enum GrantColumn: Int, RowColumn {
    case appNo, keyNo, scopes, requestsPerSecond, queuedAtMost, stagedBytesAtMost

    var sql: String {
        switch self {
        case .appNo, .keyNo, .scopes: "k." + columnName
        case .requestsPerSecond, .queuedAtMost, .stagedBytesAtMost: "a." + columnName
        }
    }
}

/// A limit of an app: of `a` (apps), and of `g`, the gate of its running downloads.
private enum LimitColumn: Int, RowColumn {
    case requestsPerSecond, queuedAtMost, runningLimit, stagedBytesAtMost

    var sql: String { (self == .runningLimit ? "g." : "a.") + columnName }
}
