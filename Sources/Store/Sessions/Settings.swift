package import Postgres

/// Values that a deployment creates once.
package struct Settings: Sendable {
    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// A value; the proposal of the first caller is stored.
    ///
    /// - Parameters:
    ///   - name: which.
    ///   - proposal: what it becomes if there is none yet.
    /// - Returns: the value in force.
    /// - Throws: `unavailable` or `refused`.
    package func value(_ name: String, orElse proposal: String) async throws(StoreError) -> String {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [name, proposal])
            let rows = try await pool.query("SELECT value FROM settings WHERE name = $1", [name])
            return try rows[0].only()
        }
    }
}
