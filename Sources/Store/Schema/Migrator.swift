// Brings a database to the schema of this program; forward only.
package import Platform
package import Postgres

/// Applies the numbered files of `migrations/`, each once and in order, then replaces the functions
/// when their text differs from the database's, all in one transaction and under a lock that keeps
/// other processes out.
package struct Migrator: Sendable {
    private let connection: PostgresConnection
    private let log: Log

    /// Creates a migrator; the connection has to allow long waits, because a lock keeps other
    /// processes out.
    package init(connection: PostgresConnection, log: Log) {
        self.connection = connection
        self.log = log
    }

    /// Applies the missing files.
    ///
    /// - Returns: the numbers applied now.
    /// - Throws: `refused` when an applied file was changed since, the schema is newer than us, or
    ///   it was made by a build from before the first release; nothing is changed then.
    @discardableResult
    package func run() async throws(StoreError) -> [Int] {
        let outcome = try await sorting { () throws(PostgresError) in
            try await connection.transaction { transaction throws(PostgresError) in
                try await applyMissing(in: transaction)
            }
        }
        let (missing, areReplaced) = try outcome.get()
        for migration in missing {
            log.debug("schema migration applied", [("migration", .string(migration.name))])
        }
        if let last = missing.last {
            log.info(
                missing.first?.number == 1 ? "schema created" : "schema updated",
                [("migration", .string(last.name))])
        } else if areReplaced {
            log.info("schema functions updated")
        }
        return missing.map(\.number)
    }

    /// The highest applied number; 0 for an empty database.
    package func version() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            let rows = try await connection.query("SELECT max(number) FROM schema_migrations")
            return try rows[0].only(as: Int?.self) ?? 0
        }
    }

    /// The number of files that are not applied; changes nothing.
    ///
    /// - Throws: as `run`.
    package func pending() async throws(StoreError) -> Int {
        let isThere = try await sorting { () throws(PostgresError) in
            let rows = try await connection.query(
                "SELECT to_regclass('schema_migrations') IS NOT NULL")
            return try rows[0].only(as: Bool.self)
        }
        let applied = try await sorting { () throws(PostgresError) in
            guard isThere else { return [Int: Applied]() }
            return try Migrator.applied(try await connection.query(Migrator.appliedStatement))
        }
        return try missing(from: applied).count
    }

    private typealias Outcome = Result<([Schema.Migration], areReplaced: Bool), StoreError>

    private func applyMissing(in transaction: Transaction) async throws(PostgresError) -> Outcome {
        // A lock of the transaction, because one of the session would stay behind in a pooler's
        // connection.
        try await transaction.script(
            """
            SELECT pg_advisory_xact_lock(5497853284);
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
            CREATE TABLE IF NOT EXISTS schema_functions (
                checksum text PRIMARY KEY,
                replaced_at timestamptz NOT NULL DEFAULT clock_timestamp());
            """)
        let applied = try Migrator.applied(try await transaction.query(Migrator.appliedStatement))
        let missing: [Schema.Migration]
        do throws(StoreError) {
            missing = try self.missing(from: applied)
        } catch {
            await transaction.rollBackAtEnd()
            return .failure(error)
        }
        for migration in missing {
            try await transaction.script(migration.sql)
            _ = try await transaction.query(
                """
                INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)
                """, [Int32(migration.number), migration.name, migration.checksum])
        }
        let functions = Schema.functions.joined(separator: "\n")
        let checksum = Schema.checksum(of: functions)
        let stored = try await transaction.query("SELECT checksum FROM schema_functions")
        if try stored.first?.only(as: String.self) == checksum {
            return .success((missing, areReplaced: false))
        }
        try await transaction.script(Schema.dropFunctions)
        try await transaction.script(functions)
        try await transaction.script("DELETE FROM schema_functions")
        _ = try await transaction.query(
            "INSERT INTO schema_functions (checksum) VALUES ($1)", [checksum])
        return .success((missing, areReplaced: true))
    }

    private struct Applied {
        let name: String
        let checksum: String
    }

    private static let appliedStatement = "SELECT number, name, checksum FROM schema_migrations"

    private static func applied(_ rows: Rows) throws(PostgresError) -> [Int: Applied] {
        var applied: [Int: Applied] = [:]
        for row in rows {
            let (number, name, checksum): (Int, String, String) = try row.values()
            applied[number] = Applied(name: name, checksum: checksum)
        }
        return applied
    }

    private func missing(
        from applied: [Int: Applied]
    ) throws(StoreError) -> [Schema.Migration] {
        if let first = applied[1], let ours = Schema.migrations.first,
            first.name != ours.name || first.checksum != ours.checksum
        {
            throw StoreError(
                .refused,
                "this database was made by a build of Lull from before its first release and "
                    + "cannot be upgraded: use another database or data directory, or keep using "
                    + "that build")
        }
        let newestOfOurs = Schema.migrations.map(\.number).max() ?? 0
        if let newest = applied.keys.max(), newest > newestOfOurs {
            throw StoreError(
                .refused,
                "the database has schema \(newest), but this version of lull knows only "
                    + "\(newestOfOurs): install a newer lull")
        }
        for migration in Schema.migrations {
            if let earlier = applied[migration.number], earlier.checksum != migration.checksum {
                throw StoreError(
                    .refused,
                    "the migration \(migration.name) of this program differs from the one that was "
                        + "applied: use the version of lull that applied it")
            }
        }
        return Schema.migrations.filter { applied[$0.number] == nil }
    }
}
