// The idempotency keys of requests, with the answers to these.
package import Base
package import Postgres

/// The idempotency keys of all apps; each is kept for a day.
package struct IdempotencyKeys: Sendable {
    /// Seconds after which a request that has not ended counts as abandoned.
    package static let heldSeconds: Int64 = 120

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The state of a key; nil if it is new.
    package func find(_ key: IdempotencyKey) async throws(StoreError) -> KeyClaim? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                IdempotencyKeys.findStatement, [key.app, key.hash])
            return try rows.first.map { row throws(PostgresError) in
                try IdempotencyKeys.claim(row, key)
            }
        }
    }

    /// Takes a key for a request that is about to be done.
    ///
    /// - Returns: `mine` if it is to be done now; then `finish` or `release` has to follow.
    /// - Throws: `unavailable` or `refused`.
    package func take(_ key: IdempotencyKey) async throws(StoreError) -> KeyClaim {
        var random = SystemRandomNumberGenerator()
        let holder = Identifier(high: random.next(), low: random.next())
        let isMine = try await repeating { () throws(PostgresError) in
            // A holder that died gives the key up; only an equal request may continue with it.
            let rows = try await pool.query(
                """
                INSERT INTO idempotency_keys AS k
                    (app_no, key_hash, fingerprint, held_until, holder)
                VALUES ($1, $2, $3, clock_timestamp() + $4::bigint * interval '1 second', $5)
                ON CONFLICT (app_no, key_hash) DO UPDATE
                    SET held_until = excluded.held_until, holder = excluded.holder
                WHERE k.status IS NULL AND k.fingerprint = excluded.fingerprint
                    AND (k.held_until < clock_timestamp() OR k.holder = excluded.holder)
                RETURNING 1
                """, [key.app, key.hash, key.fingerprint, IdempotencyKeys.heldSeconds, holder])
            return !rows.isEmpty
        }
        if isMine { return .mine }
        return try await find(key) ?? .inProgress
    }

    /// Stores the answer of a request whose key was taken, or replaces an earlier answer of that
    /// request.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - answer: the answer.
    ///   - download: the download that the answer shows; one that was deleted meanwhile is not
    ///     brought back, and the answer stays what it was.
    /// - Throws: `unavailable` or `refused`.
    package func finish(
        _ key: IdempotencyKey, with answer: StoredAnswer, showing download: Identifier? = nil
    ) async throws(StoreError) {
        try await repeating { () throws(PostgresError) in
            _ = try await pool.query(
                """
                UPDATE idempotency_keys k SET status = $3, headers = $4, held_until = NULL,
                    download_id = w.id,
                    body = CASE WHEN $7::uuid IS NULL OR w.id IS NOT NULL THEN $5
                        ELSE coalesce(k.body, '{}') END
                FROM (SELECT 1) u LEFT JOIN downloads w ON w.id = $7
                WHERE k.app_no = $1 AND k.key_hash = $2 AND k.fingerprint = $6
                """,
                [
                    key.app, key.hash, Int16(answer.status),
                    JSONText(JSON.object(answer.headers).text), answer.body,
                    key.fingerprint, download,
                ])
        }
    }

    /// Gives a key back, because its request was refused and may be repeated.
    package func release(_ key: IdempotencyKey) async throws(StoreError) {
        try await repeating { () throws(PostgresError) in
            _ = try await pool.query(
                """
                DELETE FROM idempotency_keys
                WHERE app_no = $1 AND key_hash = $2 AND fingerprint = $3 AND status IS NULL
                """, [key.app, key.hash, key.fingerprint])
        }
    }

    /// Removes keys that are older than a day.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func forgetOld(
        limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                DELETE FROM idempotency_keys WHERE (app_no, key_hash) IN (
                    SELECT app_no, key_hash FROM idempotency_keys
                    WHERE created_at < least(statement_timestamp(), $2::timestamptz)
                        - interval '24 hours'
                    ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
                """, [Int64(limit), now]
            ).affected
        }
    }

    /// Writes a key and its answer in the transaction of the request's work.
    ///
    /// - Returns: false if the key is taken.
    static func keep(
        _ key: IdempotencyKey, _ answer: StoredAnswer, showing downloads: [Identifier],
        in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let rows = try await transaction.query(
            """
            INSERT INTO idempotency_keys
                (app_no, key_hash, fingerprint, status, headers, body, download_ids)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1
            """,
            [
                key.app, key.hash, key.fingerprint, Int16(answer.status),
                JSONText(JSON.object(answer.headers).text), answer.body,
                downloads,
            ])
        return !rows.isEmpty
    }

    private enum Column: Int, RowColumn {
        case fingerprint, status, headers, body
    }

    private static let findStatement = """
        SELECT \(Column.list) FROM idempotency_keys
        WHERE app_no = $1 AND key_hash = $2
        """

    private static func claim(
        _ row: Row, _ key: IdempotencyKey
    ) throws(PostgresError) -> KeyClaim {
        guard try row.identifier(Column.fingerprint) == key.fingerprint else { return .reused }
        guard let status = try row.get(Column.status, as: Int?.self) else { return .inProgress }
        return .answered(
            StoredAnswer(
                status: status, headers: try row.object(Column.headers),
                body: try row.get(Column.body, as: String?.self) ?? ""))
    }
}

extension Downloads {
    /// The store of idempotency keys.
    package var idempotencyKeys: IdempotencyKeys { IdempotencyKeys(pool: pool) }
}
