// Endpoints for webhooks, which apps register, each with a secret of its own.
package import Base
package import Downloads
package import Postgres

/// The endpoints of all apps.
package struct Endpoints: Sendable {
    let pool: ConnectionPool
    let changes: ChangeHub

    /// Creates a store over a pool; subscriptions change with the rows.
    package init(pool: ConnectionPool, changes: ChangeHub) {
        self.pool = pool
        self.changes = changes
    }

    /// The condition for the row of an identifier, or of the app's `default` for nil.
    static let named = "w.app_no = $1 AND w.id IS NOT DISTINCT FROM $2 AND w.deleted_at IS NULL"

    /// One endpoint; nil if there is none, and for a `default` that was never changed.
    package func find(
        app: Int64, id: Identifier?
    ) async throws(StoreError) -> EndpointRecord? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(EndpointRecord.columns) FROM webhook_endpoints w WHERE \(Endpoints.named)
                """, [app, id])
            return try rows.first.map { row throws(PostgresError) in try EndpointRecord(row) }
        }
    }

    /// The endpoints of an app in the order of their creation; its `default` is the first if it was
    /// ever changed.
    package func list(app: Int64) async throws(StoreError) -> [EndpointRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(EndpointRecord.columns) FROM webhook_endpoints w
                WHERE w.app_no = $1 AND w.deleted_at IS NULL
                ORDER BY (w.id IS NOT NULL), w.endpoint_no LIMIT $2
                """, [app, Int64(EndpointSpec.countAtMost + 1)])
            return try rows.map { row throws(PostgresError) in try EndpointRecord(row) }
        }
    }

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - spec: what its client wants.
    ///   - id: its name.
    ///   - app: the app's number.
    ///   - secret: sealed.
    ///   - sealed: the headers and credentials of which the spec has the shape.
    /// - Returns: `done`, `tooMany` or `tooManyMails`.
    /// - Throws: `unavailable` or `refused`.
    package func create(
        _ spec: EndpointSpec, id: Identifier, app: Int64, secret: [UInt8],
        sealed: [UInt8]? = nil
    ) async throws(StoreError) -> EndpointOutcome {
        let outcome = try await sorting { () throws(PostgresError) -> EndpointOutcome in
            try await pool.transaction { transaction throws(PostgresError) in
                let count = try await Endpoints.count(of: app, in: transaction)
                guard count.all < EndpointSpec.countAtMost else { return .tooMany }
                guard spec.format != .email || count.ofMail < EndpointSpec.mailCountAtMost else {
                    return .tooManyMails
                }
                let rows = try await transaction.query(
                    """
                    INSERT INTO webhook_endpoints AS w (app_no, id, secret, disabled_at,
                        disabled_reason, \(Endpoints.given.names))
                    SELECT $1, $2, $3, CASE WHEN NOT $4 THEN clock_timestamp() END,
                        CASE WHEN NOT $4 THEN 'client' END, u.*
                    FROM \(Endpoints.given.row(from: 5))
                    RETURNING \(EndpointRecord.columns)
                    """,
                    Endpoints.given.values(
                        of: (spec, sealed), behind: [app, id, secret, spec.isEnabled]))
                return .done(try EndpointRecord(rows[0]))
            }
        }
        try await refreshListeners()
        return outcome
    }

    /// The endpoints of an app, and those of them that get mail; an app's transactions that ask
    /// wait for each other, so that the count holds.
    private static func count(
        of app: Int64, in transaction: Transaction
    ) async throws(PostgresError) -> (all: Int64, ofMail: Int64) {
        _ = try await transaction.query(
            "SELECT 1 FROM apps WHERE app_no = $1 FOR NO KEY UPDATE", [app])
        let rows = try await transaction.query(
            """
            SELECT count(*), count(*) FILTER (WHERE w.format = 'email') FROM webhook_endpoints w
            WHERE w.app_no = $1 AND w.deleted_at IS NULL AND w.id IS NOT NULL
            """, [app])
        let (all, ofMail): (Int64, Int64) = try rows[0].values()
        return (all, ofMail)
    }

    /// Changes an endpoint; with another URL its receiver counts as untried.
    ///
    /// - Parameters:
    ///   - old: as the caller read it; for a `default` without a row nil.
    ///   - spec: what it becomes.
    ///   - id: its name, nil for `default`.
    ///   - app: the app's number.
    ///   - sealed: the headers and credentials of which the spec has the shape.
    /// - Returns: `done`, `notFound`, `stale` or `tooManyMails`.
    /// - Throws: `unavailable` or `refused`.
    package func change(
        _ old: EndpointRecord?, to spec: EndpointSpec, id: Identifier?, app: Int64,
        sealed: [UInt8]?
    ) async throws(StoreError) -> EndpointOutcome {
        let outcome = try await sorting { () throws(PostgresError) -> EndpointOutcome in
            try await pool.transaction { transaction throws(PostgresError) in
                guard let old else {
                    let rows = try await transaction.query(
                        """
                        INSERT INTO webhook_endpoints AS w (app_no, events, event_mask)
                        VALUES ($1, $2, $3)
                        ON CONFLICT (app_no) WHERE id IS NULL DO NOTHING
                        RETURNING \(EndpointRecord.columns)
                        """, [app, spec.events, spec.eventSet.bits])
                    return try rows.first.map { row throws(PostgresError) in
                        .done(try EndpointRecord(row))
                    } ?? .stale
                }
                if spec.format == .email, old.spec.format != .email {
                    let count = try await Endpoints.count(of: app, in: transaction)
                    guard count.ofMail < EndpointSpec.mailCountAtMost else { return .tooManyMails }
                }
                if old.spec.url != spec.url || spec.isEnabled != old.spec.isEnabled {
                    try await Endpoints.forgetReceiver(of: old.number, in: transaction)
                }
                let rows = try await transaction.query(
                    """
                    UPDATE webhook_endpoints w
                    SET (\(Endpoints.given.names)) = (\(Endpoints.given.names(of: "u"))),
                        version = w.version + 1, updated_at = clock_timestamp(),
                        disabled_at = CASE WHEN NOT $3
                            THEN coalesce(w.disabled_at, clock_timestamp()) END,
                        disabled_reason = CASE WHEN NOT $3
                            THEN coalesce(w.disabled_reason, 'client') END
                    FROM \(Endpoints.given.row(from: 4))
                    WHERE w.endpoint_no = $1 AND w.version = $2 AND w.deleted_at IS NULL
                    RETURNING \(EndpointRecord.columns)
                    """,
                    Endpoints.given.values(
                        of: (spec, sealed),
                        behind: [old.number, Int32(old.version), spec.isEnabled]))
                guard let row = rows.first else { return .stale }
                if !spec.isEnabled {
                    _ = try await transaction.query(
                        "SELECT lull_abandon_deliveries($1, 'the endpoint is disabled', 10000)",
                        [old.number])
                }
                return .done(try EndpointRecord(row))
            }
        }
        try await refreshListeners()
        return outcome
    }

    /// The visible part of a request; nil for none.
    private static func stored(_ shape: RequestShape) -> JSONText? {
        shape.hasSecrets ? JSONText(shape.tree.text) : nil
    }

    private static let given: Parameters<(spec: EndpointSpec, sealed: [UInt8]?)> = [
        "url": { $0.spec.url },
        "events": { $0.spec.events },
        "sessions": { $0.spec.sessions },
        "description": { $0.spec.description },
        "format": { $0.spec.format.rawValue },
        "event_mask": { $0.spec.eventSet.bits },
        "request": { Endpoints.stored($0.spec.request) },
        "sealed": { $0.sealed },
    ]

    /// Forgets the standing of a receiver, which does not apply to another URL.
    private static func forgetReceiver(
        of number: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE receivers SET silent_tries = 0, half_open_at = '-infinity',
                standing = lull_standing('untried'),
                next_at = CASE WHEN next_at = 'infinity' THEN next_at ELSE clock_timestamp() END
            WHERE receiver = lull_endpoint_receiver($1)
            """, [number])
        _ = try await transaction.query(
            """
            UPDATE webhook_tallies SET failures = 0, failing_since = NULL WHERE endpoint_no = $1
            """, [number])
    }

    /// Deletes an endpoint with its secret; its waiting deliveries are abandoned.
    ///
    /// - Parameters:
    ///   - id: its name.
    ///   - app: the app's number.
    ///   - condition: judges it under its lock.
    /// - Returns: `done`, `notFound` or `refused`.
    /// - Throws: `unavailable` or `refused`.
    package func delete(
        _ id: Identifier, app: Int64,
        where condition: @escaping @Sendable (EndpointRecord) -> Bool
    ) async throws(StoreError) -> EndpointOutcome {
        let outcome = try await sorting { () throws(PostgresError) -> EndpointOutcome in
            try await pool.transaction { transaction throws(PostgresError) in
                let found = try await transaction.query(
                    """
                    SELECT \(EndpointRecord.columns) FROM webhook_endpoints w
                    WHERE \(Endpoints.named) FOR UPDATE
                    """, [app, id])
                guard let row = found.first else { return .notFound }
                let record = try EndpointRecord(row)
                guard condition(record) else { return .refused(record) }
                _ = try await transaction.query(
                    """
                    UPDATE webhook_endpoints SET deleted_at = clock_timestamp(), secret = NULL,
                        replaced_secrets = '{}', replaced_until = '{}', description = NULL
                    WHERE endpoint_no = $1
                    """, [record.number])
                _ = try await transaction.query(
                    "SELECT lull_abandon_deliveries($1, 'the endpoint was deleted', 10000)",
                    [record.number])
                return .done(record)
            }
        }
        try await refreshListeners()
        return outcome
    }

    /// Reads which apps have endpoints, and the subscriptions of these.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func refreshListeners() async throws(StoreError) {
        let (masks, defaults) = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [
                Statement(
                    """
                    SELECT w.app_no, bit_or(w.event_mask) FROM webhook_endpoints w
                    WHERE w.id IS NOT NULL AND w.deleted_at IS NULL AND w.disabled_at IS NULL
                    GROUP BY 1 LIMIT 100000
                    """),
                Statement(
                    """
                    SELECT w.app_no, w.events FROM webhook_endpoints w
                    WHERE w.id IS NULL AND w.events IS NOT NULL LIMIT 100000
                    """),
            ])
            var masks: [Int64: Int64] = [:]
            var defaults: [Int64: [String]] = [:]
            for row in rows[0] {
                let (app, mask): (Int64, Int64) = try row.values()
                masks[app] = mask
            }
            for row in rows[1] {
                let (app, events): (Int64, [String]) = try row.values()
                defaults[app] = events
            }
            return (masks, defaults)
        }
        changes.listeners.replace(masks, defaults: defaults)
    }
}
