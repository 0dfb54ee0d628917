// Sessions whose live downloads end with their clients.
package import Base
internal import Downloads
internal import Postgres

/// The clients of the sessions of all apps that have `ends_with_client`.
package struct Clients: Sendable {
    private enum Column: Int, RowColumn {
        case appNo, identifier, patience, isGone, now
    }

    /// A session to which nobody has listened for its patience.
    package struct Gone: Sendable {
        /// The app's number.
        package let app: Int64
        /// The session's identifier.
        package let identifier: String
        /// The instant after which a download was created too late to be ended now.
        package let bound: Timestamp
    }

    /// The result of a look at the due sessions.
    package struct Look: Sendable {
        /// The sessions without a client.
        package let gone: [Gone]
        /// Whether further sessions may be due.
        package let isFull: Bool
        /// The instant of the next look; nil without sessions.
        package let next: Timestamp?
    }

    /// The most sessions of one look.
    static let sessionsAtOnce = 200

    let pool: ConnectionPool

    /// Looks at the due sessions; what other replicas look at is left out.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func look() async throws(StoreError) -> Look {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT \(Column.list) FROM lull_look_at_clients($1)",
                [Int32(Clients.sessionsAtOnce)])
            var gone: [Gone] = []
            for row in rows where try row.bool(Column.isGone) {
                let now = try row.requiredInstant(Column.now)
                gone.append(
                    Gone(
                        app: try row.integer(Column.appNo),
                        identifier: try row.text(Column.identifier),
                        bound: now - .seconds(try row.integer(Column.patience))))
            }
            let next: Timestamp? = try await pool.query(
                "SELECT min(look_at) FROM session_clients WHERE look_at < 'infinity'")[0].only()
            return Look(gone: gone, isFull: rows.count == Clients.sessionsAtOnce, next: next)
        }
    }

    /// Notes that a session's client has attached, so that its patience begins anew.
    ///
    /// - Parameter session: the session's key.
    /// - Throws: `unavailable` or `refused`.
    package func attached(to session: Int64) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                UPDATE session_clients SET absent = NULL, looked_at = clock_timestamp()
                WHERE session_no = $1
                """, [session])
        }
    }

    /// Keeps the patience of a session as its configuration has it.
    static func keep(
        _ record: SessionRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        guard let patience = record.configuration.endsWithClient else {
            return try await forget(record.key, in: transaction)
        }
        _ = try await transaction.query(
            """
            INSERT INTO session_clients (session_no, patience) VALUES ($1, $2)
            ON CONFLICT (session_no) DO UPDATE SET patience = excluded.patience, absent = NULL,
                looked_at = excluded.looked_at, look_at = excluded.look_at
            """, [record.key, Int32(patience)])
    }

    /// Ends the looks at a session.
    static func forget(
        _ session: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            "DELETE FROM session_clients WHERE session_no = $1", [session])
    }
}

extension Downloads {
    /// The store of the clients of sessions.
    package var clients: Clients { Clients(pool: pool) }
}
