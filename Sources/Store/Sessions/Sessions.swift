// Sessions: named by the client, with versions of their configuration.
internal import Base
package import Downloads
package import Postgres

/// The sessions of all apps.
package struct Sessions: Sendable {
    let pool: ConnectionPool
    let lists: ConnectionPool

    /// Creates a store over a pool, with another one for lists if there is one.
    package init(pool: ConnectionPool, lists: ConnectionPool? = nil) {
        self.pool = pool
        self.lists = lists ?? pool
    }

    static let columns = SessionColumn.list

    /// One session, or nil.
    package func find(
        app: Int64, identifier: String
    ) async throws(StoreError) -> SessionRecord? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT \(Sessions.columns) FROM sessions WHERE app_no = $1 AND identifier = $2",
                [app, identifier])
            guard let row = rows.first else { return nil }
            return try Sessions.record(row)
        }
    }

    /// The name of an app; empty if there is none with this number.
    package func appName(_ app: Int64) async throws(StoreError) -> String {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query("SELECT name FROM apps WHERE app_no = $1", [app])
            return try rows.first?.only() ?? ""
        }
    }

    /// The sealed secrets of a version of a session, or nil.
    package func secrets(
        of session: Int64, version: Int64
    ) async throws(StoreError) -> [UInt8]? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT sealed FROM session_secrets WHERE session_no = $1 AND version = $2",
                [session, Int32(clamping: version)]
            ).first?.only()
        }
    }

    /// The sessions of an app by name, at most a thousand.
    package func list(app: Int64) async throws(StoreError) -> [SessionRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                """
                SELECT \(Sessions.columns) FROM sessions
                WHERE app_no = $1 AND strpos(identifier, '#') = 0
                ORDER BY identifier LIMIT 1000
                """, [app])
            var list: [SessionRecord] = []
            for row in rows { list.append(try Sessions.record(row)) }
            return list
        }
    }

    /// Creates a session, or changes its configuration; an equal one changes nothing.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - identifier: the client's name for it.
    ///   - configuration: its values.
    ///   - sealed: its secrets, of which the configuration has the shape.
    ///   - condition: judges the session under its lock, nil if there is none.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func put(
        app: Int64, identifier: String, configuration: SessionConfiguration,
        sealed: [UInt8]? = nil,
        where condition: @escaping @Sendable (SessionRecord?) -> Bool = { _ in true }
    ) async throws(StoreError) -> SessionOutcome {
        let document = JSONText(JSON.object(configuration.json).text)
        let events: [any ColumnValue] = [
            configuration.webhookURL, configuration.eventSet.bits,
            configuration.sendsLaunchEvents ?? true,
        ]
        let kind = configuration.kind ?? .background
        return try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                var current = try await Sessions.locked(app, identifier, in: transaction)
                if let old = current, old.state == .invalidated {
                    try await Sessions.retire(old.key, in: transaction)
                    current = nil
                }
                if current == nil {
                    guard condition(nil) else { return .refused(nil) }
                    let made = try await transaction.query(
                        """
                        INSERT INTO sessions (app_no, identifier, configuration, event_url,
                            event_mask, sends_wakes, is_ephemeral)
                        VALUES ($1, $2, $3, $4, $5, $6, $7)
                        ON CONFLICT (app_no, identifier) DO NOTHING RETURNING \(Sessions.columns)
                        """, [app, identifier, document] + events + [kind == .ephemeral])
                    if let row = made.first {
                        let record = try Sessions.record(row)
                        try await Sessions.keep(record, document, sealed, in: transaction)
                        try await Sessions.limit(record, in: transaction)
                        return .made(record)
                    }
                    // Another transaction created it meanwhile; that row is judged.
                    current = try await Sessions.locked(app, identifier, in: transaction)
                }
                guard let current else {
                    throw PostgresError(.decoding, "a session was created and removed in between")
                }
                guard condition(current) else { return .refused(current) }
                guard current.state != .invalidating else { return .closing(current) }
                guard (current.configuration.kind ?? .background) == kind else {
                    return .otherKind(current)
                }
                let changed = try await transaction.query(
                    """
                    UPDATE sessions SET configuration = $3, version = version + 1,
                        event_url = $4, event_mask = $5, sends_wakes = $6,
                        updated_at = clock_timestamp()
                    WHERE app_no = $1 AND identifier = $2 AND configuration <> $3
                    RETURNING \(Sessions.columns)
                    """, [app, identifier, document] + events)
                guard let row = changed.first else { return .kept(current) }
                let record = try Sessions.record(row)
                try await Sessions.keep(record, document, sealed, in: transaction)
                try await Sessions.limit(record, in: transaction)
                return .kept(record)
            }
        }
    }

    /// Sets the limit of the session's gate; that of a suspended one is 0.
    static func limit(
        _ record: SessionRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            "SELECT lull_make_gates(ARRAY[lull_gate('session')], ARRAY[$1::bigint])", [record.key])
        _ = try await transaction.query(
            """
            UPDATE gates SET running_limit = $2, per_origin = $3
            WHERE kind = lull_gate('session') AND key = $1
                AND (running_limit, per_origin) IS DISTINCT FROM ($2::int, $3::int)
            """,
            [
                record.key,
                record.state == .suspended
                    ? 0 : record.configuration.maxRunning.map { Int32($0) },
                record.configuration.maxConnectionsPerHost.map { Int32($0) },
            ])
    }

    /// A session, with its row locked.
    static func locked(
        _ app: Int64, _ identifier: String, in transaction: Transaction
    ) async throws(PostgresError) -> SessionRecord? {
        let rows = try await transaction.query(
            """
            SELECT \(columns) FROM sessions WHERE app_no = $1 AND identifier = $2 FOR UPDATE
            """, [app, identifier])
        guard let row = rows.first else { return nil }
        return try record(row)
    }

    private static func keep(
        _ record: SessionRecord, _ document: JSONText, _ sealed: [UInt8]?,
        in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            INSERT INTO session_versions (session_no, version, configuration) VALUES ($1, $2, $3)
            """, [record.key, Int32(record.version), document])
        try await Clients.keep(record, in: transaction)
        guard let sealed else { return }
        _ = try await transaction.query(
            "INSERT INTO session_secrets (session_no, version, sealed) VALUES ($1, $2, $3)",
            [record.key, Int32(record.version), sealed])
    }

    /// Frees the name of an ended session for the next one.
    static func retire(
        _ key: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        // No identifier has this character.
        _ = try await transaction.query(
            """
            UPDATE sessions SET identifier = identifier || '#' || session_no
            WHERE session_no = $1
            """, [key])
        try await Clients.forget(key, in: transaction)
    }

    static func record(_ row: Row) throws(PostgresError) -> SessionRecord {
        typealias Column = SessionColumn
        let object = try row.object(Column.configuration)
        guard let configuration = SessionConfiguration.read(stored: object) else {
            throw PostgresError(
                .decoding, "a session has a value that this version of lull does not know")
        }
        guard let state = SessionState(rawValue: try row.get(Column.state)) else {
            throw PostgresError(
                .decoding, "a session has a state that this version of lull does not know")
        }
        return SessionRecord(
            key: try row.integer(Column.sessionNo), identifier: try row.text(Column.identifier),
            version: try row.integer(Column.version), state: state,
            configuration: configuration, createdAt: try row.requiredInstant(Column.createdAt),
            updatedAt: try row.requiredInstant(Column.updatedAt),
            isMuted: try row.bool(Column.isMuted), appName: try row.text(Column.app))
    }
}
