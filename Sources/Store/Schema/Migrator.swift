// Brings a database to the schema of this program; forward only.
package import Platform
package import Postgres

/// Applies the numbered files of `migrations/`, each once and in order, then replaces the functions
/// when their text differs from the database's, all in one transaction and under a lock that keeps
/// other processes out.
package struct Migrator: Sendable {
    private let connection: PostgresConnection
    private let log: Log

    /// Takes a connection of its own: a session lock keeps other processes out.
    package init(connection: PostgresConnection, log: Log) {
        self.connection = connection
        self.log = log
    }

    /// Applies what is missing.
    ///
    /// - Returns: the numbers applied now.
    /// - Throws: `refused` when an applied file was changed since, the schema is newer than us, or
    ///   it was made by a build from before the first release.
    @discardableResult
    package func run() async throws(StoreError) -> [Int] {
        try await sorting { () throws(PostgresError) in
            try await connection.script(
                """
                SELECT pg_advisory_lock(5497853284);
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                CREATE TABLE IF NOT EXISTS schema_functions (
                    checksum text PRIMARY KEY,
                    replaced_at timestamptz NOT NULL DEFAULT clock_timestamp());
                """)
        }
        // A refusal releases the lock, too: this connection may stay open for long.
        let outcome: Result<[Int], StoreError>
        do throws(StoreError) {
            outcome = .success(try await applyMissing())
        } catch {
            outcome = .failure(error)
        }
        do throws(StoreError) {
            try await sorting { () throws(PostgresError) in
                try await connection.script("SELECT pg_advisory_unlock(5497853284)")
            }
        } catch {
            // The first failure is more precise than that of a closed connection.
            _ = try outcome.get()
            throw error
        }
        return try outcome.get()
    }

    /// The highest number that is applied; 0 for an empty database.
    package func version() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            let rows = try await connection.query("SELECT max(number) FROM schema_migrations")
            return Int(try rows[0].get(0, as: Int32?.self) ?? 0)
        }
    }

    /// How many files are still to be applied; changes nothing.
    ///
    /// - Throws: as `run`.
    package func pending() async throws(StoreError) -> Int {
        let isThere = try await sorting { () throws(PostgresError) in
            let rows = try await connection.query(
                "SELECT to_regclass('schema_migrations') IS NOT NULL")
            return try rows[0].get(0, as: Bool.self)
        }
        return try missing(from: isThere ? try await applied() : [:]).count
    }

    private func applyMissing() async throws(StoreError) -> [Int] {
        let missing = try missing(from: try await applied())
        let functions = Schema.functions.joined(separator: "\n")
        let checksum = Schema.checksum(of: functions)
        let replaced = try await sorting { () throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                for migration in missing {
                    try await transaction.script(migration.sql)
                    _ = try await transaction.query(
                        """
                        INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)
                        """,
                        [Int32(migration.number), migration.name, migration.checksum])
                }
                let stored = try await transaction.query("SELECT checksum FROM schema_functions")
                if try stored.first?.get(0, as: String.self) == checksum { return false }
                try await transaction.script(Schema.dropFunctions)
                try await transaction.script(functions)
                try await transaction.script("DELETE FROM schema_functions")
                _ = try await transaction.query(
                    "INSERT INTO schema_functions (checksum) VALUES ($1)", [checksum])
                return true
            }
        }
        for migration in missing {
            log.info("schema migrated", [("migration", .string(migration.name))])
        }
        if replaced { log.info("schema functions replaced", [("checksum", .string(checksum))]) }
        return missing.map(\.number)
    }

    private struct Applied {
        let name: String
        let checksum: String
    }

    private func applied() async throws(StoreError) -> [Int: Applied] {
        try await sorting { () throws(PostgresError) in
            var applied: [Int: Applied] = [:]
            let rows = try await connection.query(
                "SELECT number, name, checksum FROM schema_migrations")
            for row in rows {
                applied[Int(try row.get(0, as: Int32.self))] = Applied(
                    name: try row.get(1, as: String.self),
                    checksum: try row.get(2, as: String.self))
            }
            return applied
        }
    }

    private func missing(
        from applied: [Int: Applied]
    ) throws(StoreError) -> [Schema.Migration] {
        if let first = applied[1], first.name != Schema.migrations[0].name {
            throw StoreError(
                .refused,
                "this database was made by a build of Lull from before its first release "
                    + "(\(first.name)), which cannot be upgraded: "
                    + "use another database or data directory")
        }
        let newestOfOurs = Schema.migrations.map(\.number).max() ?? 0
        if let newest = applied.keys.max(), newest > newestOfOurs {
            throw StoreError(
                .refused,
                "the database has schema \(newest), this program knows \(newestOfOurs): "
                    + "start a newer lull")
        }
        for migration in Schema.migrations {
            if let earlier = applied[migration.number], earlier.checksum != migration.checksum {
                throw StoreError(
                    .refused, "\(migration.name) was changed after it had been applied")
            }
        }
        return Schema.migrations.filter { applied[$0.number] == nil }
    }
}
