// The secrets of endpoints, which the caller has sealed.
package import Base
internal import Downloads
internal import Postgres

extension Endpoints {
    /// Stores a secret for an app's `default` unless it has one.
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
                """, [app, EventSet.usual.bits, proposal])[0].only()
        }
    }

    /// The most replaced secrets that still sign beside the current one.
    package static let replacedAtMost = 8

    /// The outcome of the replacement of a secret.
    package enum Rotation: Equatable, Sendable {
        /// It is replaced; the previous one signs until an instant.
        case done(until: Timestamp)
        /// The limit of replaced secrets is reached; the first of them stops signing at an instant.
        case full(until: Timestamp)
        /// There is no such endpoint.
        case notFound
    }

    /// Replaces a secret; all that were replaced within the overlap continue to sign.
    ///
    /// - Parameters:
    ///   - id: the endpoint, nil for `default`.
    ///   - app: the app's number.
    ///   - secret: the new one, sealed.
    ///   - inherited: what signs for a `default` that has none of its own, sealed.
    ///   - overlap: for how long the one before signs as well; none that was replaced earlier
    ///     signs any longer than that.
    /// - Returns: what became of it.
    /// - Throws: `unavailable` or `refused`.
    package func rotate(
        _ id: Identifier?, app: Int64, to secret: [UInt8], inherited: [UInt8]?, overlap: Duration
    ) async throws(StoreError) -> Rotation {
        try await sorting { () throws(PostgresError) in
            if id == nil {
                _ = try await pool.query(
                    """
                    INSERT INTO webhook_endpoints (app_no, event_mask) VALUES ($1, $2)
                    ON CONFLICT (app_no) WHERE id IS NULL DO NOTHING
                    """, [app, EventSet.usual.bits])
            }
            return try await pool.transaction { transaction throws(PostgresError) in
                let found = try await transaction.query(
                    """
                    SELECT w.endpoint_no FROM webhook_endpoints w WHERE \(Endpoints.named)
                    FOR UPDATE
                    """, [app, id])
                guard let number = try found.first?.only(as: Int64.self) else {
                    return .notFound
                }
                // Read after the lock, so that a replacement by another process is seen.
                let (isDone, until, free): (Bool, Timestamp, Timestamp) =
                    try await transaction.query(
                        Endpoints.replaceSecret,
                        [
                            number, secret, inherited, overlap.wholeMicroseconds,
                            Int64(Endpoints.replacedAtMost),
                        ])[0].values()
                return isDone ? .done(until: until) : .full(until: free)
            }
        }
    }

    private static let replaceSecret = """
        WITH clock AS MATERIALIZED (
            SELECT z.t, z.t + $4 * interval '1 microsecond' AS until
            FROM (SELECT clock_timestamp() AS t) z),
        signing AS MATERIALIZED (
            SELECT u.secret, least(u.until, c.until) AS until, u.place
            FROM webhook_endpoints w CROSS JOIN clock c CROSS JOIN LATERAL (
                SELECT coalesce(w.secret, $3) AS secret, c.until, 0::bigint AS place
                UNION ALL
                SELECT r.secret, r.until, r.place
                FROM unnest(w.replaced_secrets, w.replaced_until)
                    WITH ORDINALITY r(secret, until, place)) u
            WHERE w.endpoint_no = $1 AND least(u.until, c.until) > c.t),
        changed AS (
            UPDATE webhook_endpoints w SET secret = $2,
                replaced_secrets = ARRAY(SELECT s.secret FROM signing s ORDER BY s.place),
                replaced_until = ARRAY(SELECT s.until FROM signing s ORDER BY s.place)
            WHERE w.endpoint_no = $1 AND (SELECT count(*) FROM signing) <= $5
            RETURNING 1)
        SELECT EXISTS (SELECT 1 FROM changed), c.until,
            coalesce((SELECT min(s.until) FROM signing s), c.until)
        FROM clock c
        """
}
