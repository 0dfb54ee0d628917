// Brings a database to the schema of this program; forward only.
internal import Core
package import Platform
package import Postgres

/// Applies the numbered files of `migrations/`, each once, in order, each in its own transaction.
package struct Migrator: Sendable {
    /// One numbered file.
    package struct Migration: Sendable {
        /// Its number, from 1 up.
        package let number: Int
        /// Its file's name.
        package let name: String
        /// Its text.
        package let sql: String
    }

    private let connection: PostgresConnection
    private let log: Log

    /// Takes a connection of its own: a session lock keeps other processes out.
    package init(connection: PostgresConnection, log: Log) {
        self.connection = connection
        self.log = log
    }

    /// The files, compiled in.
    package static let migrations: [Migration] = [
        Migration(
            number: 1, name: "0001_tables.sql",
            sql: String(decoding: PackageResources._001_tables_sql, as: UTF8.self)),
        Migration(
            number: 2, name: "0002_functions.sql",
            sql: String(decoding: PackageResources._002_functions_sql, as: UTF8.self)),
        Migration(
            number: 3, name: "0003_manners.sql",
            sql: String(decoding: PackageResources._003_manners_sql, as: UTF8.self)),
        Migration(
            number: 4, name: "0004_journal.sql",
            sql: String(decoding: PackageResources._004_journal_sql, as: UTF8.self)),
        Migration(
            number: 5, name: "0005_requests.sql",
            sql: String(decoding: PackageResources._005_requests_sql, as: UTF8.self)),
        Migration(
            number: 6, name: "0006_content.sql",
            sql: String(decoding: PackageResources._006_content_sql, as: UTF8.self)),
        Migration(
            number: 10, name: "0010_segments.sql",
            sql: String(decoding: PackageResources._010_segments_sql, as: UTF8.self)),
        Migration(
            number: 11, name: "0011_mirrors.sql",
            sql: String(decoding: PackageResources._011_mirrors_sql, as: UTF8.self)),
    ]

    /// Applies what is missing.
    ///
    /// - Returns: the numbers applied now.
    /// - Throws: `refused` when an applied file was changed since, or the schema is newer than us.
    @discardableResult
    package func run() async throws(StoreError) -> [Int] {
        try await sorting { () throws(PostgresError) in
            try await connection.script(
                """
                SELECT pg_advisory_lock(5497853284);
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                """)
        }
        // A refusal gives the lock back too: this connection may live on for long.
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
            // The first failure says more than that of a connection which is gone.
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

    private func applyMissing() async throws(StoreError) -> [Int] {
        let known = try await sorting { () throws(PostgresError) in
            var known: [Int: String] = [:]
            for row in try await connection.query("SELECT number, checksum FROM schema_migrations")
            {
                known[Int(try row.get(0, as: Int32.self))] = try row.get(1, as: String.self)
            }
            return known
        }
        let ours = Migrator.migrations.map(\.number).max() ?? 0
        if let newest = known.keys.max(), newest > ours {
            throw StoreError(
                .refused,
                "the database has schema \(newest), this program knows \(ours): "
                    + "start a newer lull")
        }
        var applied: [Int] = []
        for migration in Migrator.migrations {
            let checksum = String(StableHash.of(migration.sql), radix: 16)
            if let earlier = known[migration.number] {
                guard earlier == checksum else {
                    throw StoreError(
                        .refused, "\(migration.name) was changed after it had been applied")
                }
                continue
            }
            try await apply(migration, checksum: checksum)
            applied.append(migration.number)
        }
        return applied
    }

    private func apply(_ migration: Migration, checksum: String) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                try await transaction.script(migration.sql)
                _ = try await transaction.query(
                    "INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)",
                    [Int32(migration.number), migration.name, checksum])
            }
        }
        log.info("schema migrated", [("migration", .string(migration.name))])
    }
}
