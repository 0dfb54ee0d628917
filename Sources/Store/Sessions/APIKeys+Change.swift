// Keys listed, changed and revoked.
package import Downloads
internal import Postgres

extension APIKeys {
    /// The end of a change to a key.
    package enum Change: Sendable {
        /// It is done; the key as it is now.
        case done(APIKeyRecord)
        /// No valid key has the number.
        case notFound
        /// No valid key with the scope `admin` would be left.
        case lastAdmin
    }

    /// A page of the keys of all apps, the newest first, revoked ones too.
    ///
    /// - Parameters:
    ///   - app: only keys of this app; nil for all.
    ///   - before: only keys with lower numbers.
    ///   - limit: how many.
    /// - Returns: the keys.
    /// - Throws: `unavailable` or `refused`.
    package func page(
        app: String? = nil, before: Int64? = nil, limit: Int
    ) async throws(StoreError) -> [APIKeyRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(KeyColumn.list) FROM \(KeyColumn.tables)
                WHERE ($1::text IS NULL OR a.name = $1) AND ($2::bigint IS NULL OR k.key_no < $2)
                ORDER BY k.key_no DESC LIMIT $3
                """, [app, before, Int64(limit)])
            var list: [APIKeyRecord] = []
            for row in rows { list.append(try APIKeyRecord(row)) }
            return list
        }
    }

    /// All keys, the newest first, at most a thousand.
    package func list() async throws(StoreError) -> [APIKeyRecord] {
        try await page(limit: 1000)
    }

    /// A key, also a revoked one; nil if none has the number.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func find(_ number: Int64) async throws(StoreError) -> APIKeyRecord? {
        try await page(before: number == .max ? nil : number + 1, limit: 1)
            .first { $0.number == number }
    }

    /// Changes a key and the limits of its app.
    ///
    /// - Parameters:
    ///   - number: the key's number.
    ///   - scopes: its scopes from now on; nil if they stay.
    ///   - limits: a change to the limits of its app.
    ///   - isLastAllowed: whether the last key with `admin` may lose it.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func change(
        _ number: Int64, scopes: Set<KeyScope>?, limits: AppLimitChange, isLastAllowed: Bool
    ) async throws(StoreError) -> Change {
        let keepsAdmin = scopes?.contains(.admin) ?? true
        return try await guarded(number, keepsAdmin || isLastAllowed) {
            transaction throws(PostgresError) in
            if let scopes {
                _ = try await transaction.query(
                    "UPDATE api_keys SET scopes = $2 WHERE key_no = $1",
                    [number, APIKeys.names(of: scopes)])
            }
            let rows = try await transaction.query(
                """
                SELECT a.name FROM api_keys k JOIN apps a ON a.app_no = k.app_no WHERE k.key_no = $1
                """, [number])
            try await APIKeys.write(limits, ofApp: try rows[0].only(), in: transaction)
        }
    }

    /// Revokes a key.
    ///
    /// - Parameters:
    ///   - number: the key's number.
    ///   - isLastAllowed: whether it may be the last valid key with `admin`.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func revoke(
        _ number: Int64, isLastAllowed: Bool = true
    ) async throws(StoreError) -> Change {
        try await guarded(number, isLastAllowed) { transaction throws(PostgresError) in
            _ = try await transaction.query(
                "UPDATE api_keys SET revoked_at = clock_timestamp() WHERE key_no = $1", [number])
        }
    }

    /// Changes a valid key, unless no key with `admin` would be left.
    private func guarded(
        _ number: Int64, _ isAllowed: Bool,
        _ body: @escaping @Sendable (Transaction) async throws(PostgresError) -> Void
    ) async throws(StoreError) -> Change {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> Change in
                // Of two changes at the same time the second sees what the first has left.
                let admins: [Int64] = try await transaction.query(
                    """
                    SELECT key_no FROM api_keys WHERE revoked_at IS NULL AND 'admin' = ANY (scopes)
                    ORDER BY key_no FOR UPDATE
                    """
                ).column()
                let found = try await transaction.query(
                    "SELECT 1 FROM api_keys WHERE key_no = $1 AND revoked_at IS NULL FOR UPDATE",
                    [number])
                guard !found.isEmpty else { return .notFound }
                guard isAllowed || admins != [number] else { return .lastAdmin }
                try await body(transaction)
                let rows = try await transaction.query(
                    "SELECT \(KeyColumn.list) FROM \(KeyColumn.tables) WHERE k.key_no = $1",
                    [number])
                return .done(try APIKeyRecord(rows[0]))
            }
        }
    }
}

extension Downloads {
    /// The keys of all apps.
    package var keys: APIKeys { APIKeys(pool: pool) }
}

/// A column of a key in a list.
private enum KeyColumn: Int, RowColumn {
    case keyNo, app, createdAt, revokedAt, scopes, lastUsedAt
    case requestsPerSecond, queuedAtMost, runningLimit, stagedBytesAtMost

    /// The tables: keys, their apps, and the gates of these.
    static let tables = """
        api_keys k JOIN apps a ON a.app_no = k.app_no
        LEFT JOIN gates g ON g.kind = lull_gate('app') AND g.key = k.app_no
        """

    var sql: String {
        switch self {
        case .app: "a.name"
        case .keyNo, .createdAt, .revokedAt, .scopes, .lastUsedAt: "k." + columnName
        case .requestsPerSecond, .queuedAtMost, .stagedBytesAtMost: "a." + columnName
        case .runningLimit: "g." + columnName
        }
    }
}

extension APIKeyRecord {
    fileprivate init(_ row: Row) throws(PostgresError) {
        number = try row.get(KeyColumn.keyNo)
        app = try row.get(KeyColumn.app)
        createdAt = try row.get(KeyColumn.createdAt)
        revokedAt = try row.get(KeyColumn.revokedAt)
        scopes = try row.get(KeyColumn.scopes)
        lastUsedAt = try row.get(KeyColumn.lastUsedAt)
        limits = AppLimits(
            requestsPerSecond: try row.get(KeyColumn.requestsPerSecond),
            queued: try row.get(KeyColumn.queuedAtMost),
            running: try row.get(KeyColumn.runningLimit),
            stagedBytes: try row.get(KeyColumn.stagedBytesAtMost))
    }
}
