// A connection to a fresh database, for the tests of this target.
import Postgres
import Support

/// Lends a connection to a fresh database.
func withConnection<Value: Sendable>(
    options: ConnectionOptions = ConnectionOptions(),
    _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    try await TestDatabase.with { database in
        let connection = PostgresConnection(url: database.url, options: options)
        try await connection.open()
        do {
            let value = try await body(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }
}
