// The secrets of endpoints, sealed by the caller.
package import Core
internal import Postgres

extension Endpoints {
    /// Keeps a secret for an app's `default` unless it has one.
    ///
    /// - Parameters:
    ///   - proposal: sealed.
    ///   - app: the app's number.
    /// - Returns: the sealed secret in force.
    /// - Throws: `unavailable` or `refused`.
    package func keepSecret(
        _ proposal: [UInt8], app: Int64
    ) async throws(StoreError) -> [UInt8] {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                INSERT INTO webhook_endpoints AS w (app_no, event_mask, secret) VALUES ($1, $2, $3)
                ON CONFLICT (app_no) WHERE id IS NULL
                DO UPDATE SET secret = coalesce(w.secret, excluded.secret) RETURNING w.secret
                """, [app, EventType.defaultMask, proposal])[0].get(0)
        }
    }

    /// Replaces a secret; the one before signs as well for a time.
    ///
    /// - Parameters:
    ///   - id: the endpoint, nil for `default`.
    ///   - app: the app's number.
    ///   - secret: the new one, sealed.
    ///   - inherited: what signs for a `default` that has none of its own, sealed.
    ///   - overlap: for how long both sign.
    /// - Returns: until when; nil if there is no such endpoint.
    /// - Throws: `unavailable` or `refused`.
    package func rotate(
        _ id: Identifier?, app: Int64, to secret: [UInt8], inherited: [UInt8]?, overlap: Duration
    ) async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            if id == nil {
                _ = try await pool.query(
                    """
                    INSERT INTO webhook_endpoints (app_no, event_mask) VALUES ($1, $2)
                    ON CONFLICT (app_no) WHERE id IS NULL DO NOTHING
                    """, [app, EventType.defaultMask])
            }
            let rows = try await pool.query(
                """
                UPDATE webhook_endpoints w SET previous_secret = coalesce(w.secret, $4),
                    previous_until = clock_timestamp() + $5 * interval '1 microsecond', secret = $3
                WHERE \(Endpoints.named) RETURNING w.previous_until
                """,
                [
                    app, id.map { UUIDValue($0) }, secret, inherited, overlap.wholeMicroseconds,
                ])
            return try rows.first?.get(0, as: TimestampValue.self).timestamp
        }
    }

    /// Gives the secret that an earlier version kept for all apps to each app that has none.
    ///
    /// - Parameter seal: seals it for an app; nil where the app is not to have it.
    /// - Throws: `unavailable` or `refused`.
    package func adoptSharedSecret(
        sealing seal: @Sendable (_ text: String, _ app: Int64) -> [UInt8]?
    ) async throws(StoreError) {
        let shared = try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT value FROM settings WHERE name = 'webhook_secret'")
                .first?.get(0, as: String.self)
        }
        guard let shared else { return }
        let apps = try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT app_no FROM apps ORDER BY app_no").map {
                row throws(PostgresError) in try row.get(0, as: Int64.self)
            }
        }
        for app in apps {
            if let sealed = seal(shared, app) { _ = try await keepSecret(sealed, app: app) }
        }
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query("DELETE FROM settings WHERE name = 'webhook_secret'")
        }
    }
}
