// A new database for each test, on a server that lives as long as the test process.
package import Postgres

/// An empty database of one test.
package struct TestDatabase: Sendable {
    /// The database's name.
    package let name: String
    /// The libpq URL of the database, as the superuser.
    package let url: String

    /// Creates an empty database; the first call of the process starts the server.
    ///
    /// - Returns: the database.
    /// - Throws: what the server says.
    package static func make() async throws(PostgresError) -> TestDatabase {
        try await TestDatabaseServer.shared.makeDatabase()
    }

    /// Creates a database with the product's schema.
    ///
    /// The first call of the process creates the schema; later calls copy it, which is faster.
    ///
    /// - Returns: the database.
    /// - Throws: what the server or the migrator says.
    package static func makeWithSchema() async throws -> TestDatabase {
        try await TestDatabaseServer.shared.makeDatabaseWithSchema()
    }

    /// Removes the database, and ends the sessions that still use it.
    ///
    /// - Throws: what the server says.
    package func drop() async throws(PostgresError) {
        try await TestDatabaseServer.shared.drop(name)
    }

    /// Runs a body with a new database, and removes it even if the body throws.
    ///
    /// - Parameters:
    ///   - hasSchema: true for one with the product's schema, false for an empty one.
    ///   - body: what to do with the database.
    /// - Returns: the body's value.
    /// - Throws: what the body or the server says.
    package static func with<Value: Sendable>(
        schema hasSchema: Bool = false, _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        let database = hasSchema ? try await makeWithSchema() : try await make()
        do {
            let value = try await body(database)
            try await database.drop()
            return value
        } catch {
            try await database.drop()
            throw error
        }
    }
}
