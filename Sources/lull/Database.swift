// The database of this process: the named one, or a private server in the data directory.
internal import Glibc
internal import Platform
internal import Postgres
internal import Store

/// A database that is ready to use, with the private server if there is one.
struct Database: Sendable {
    let url: String
    let server: EmbeddedServer?
    /// The settings of its connections.
    let options: ConnectionOptions

    /// Creates the private server of a deployment that names no database, without starting it.
    static func server(_ configuration: Configuration, log: Log) -> EmbeddedServer? {
        guard configuration.databaseURL == nil else { return nil }
        return EmbeddedServer(directory: configuration.serverDirectory, log: log)
    }

    /// Connects to the named database, or creates and starts the private one.
    ///
    /// - Throws: `CommandError` or `PostgresError`; `ConfigurationError` if the data directory
    ///   cannot be made.
    static func open(
        _ configuration: Configuration, server: EmbeddedServer?, log: Log
    ) async throws -> Database {
        try makeDirectory(configuration.dataDirectory)
        guard let server else {
            let url = configuration.databaseURL ?? ""
            try await reach(configuration, url) { _ in }
            return Database(url: url, server: nil, options: configuration.connectionOptions)
        }
        log.info(
            "LULL_DATABASE_URL is not set, so a private PostgreSQL is used",
            [("directory", .string(configuration.serverDirectory))])
        return Database(
            url: try await server.start(), server: server,
            options: configuration.connectionOptions)
    }

    /// Opens the database of an existing deployment; creates none.
    ///
    /// - Throws: `NoDeployment` where `lull serve` has not been yet.
    static func existing(_ configuration: Configuration, log: Log) async throws -> Database {
        let server = server(configuration, log: log)
        if server != nil, EmbeddedServer.find(in: configuration.serverDirectory) == .absent {
            throw NoDeployment(directory: configuration.dataDirectory)
        }
        let database = try await open(configuration, server: server, log: log)
        do {
            try await reach(configuration, database.url) { connection in
                let pending = try await Migrator(connection: connection, log: log).pending()
                guard pending == 0 else {
                    throw CommandError(
                        "the database does not have the schema of this version of lull yet: start "
                            + "lull serve, or run lull migrate, first")
                }
            }
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// Lends a command a connection pool on the database of an existing deployment.
    ///
    /// - Throws: as `existing`, or what the body throws.
    static func lend(
        _ configuration: Configuration, _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        let log = Log.standardError(threshold: .warn, json: configuration.logsJSON)
        let database = try await existing(configuration, log: log)
        let pool = ConnectionPool(
            url: database.url, size: 1, options: configuration.connectionOptions, log: log)
        let outcome: Result<Void, any Error>
        do {
            try await body(pool)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await pool.close()
        await database.close()
        try outcome.get()
    }

    /// Lends a separate connection.
    ///
    /// - Parameters:
    ///   - configuration: how, and whether the operator named it, so that a failure is the
    ///     setting's.
    ///   - url: the database.
    ///   - body: what is asked.
    /// - Throws: `CommandError` where it cannot be reached, or what the body throws.
    static func reach(
        _ configuration: Configuration, _ url: String,
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        let isNamed = configuration.databaseURL != nil
        let connection = PostgresConnection(
            url: url, options: Database.patient(configuration.connectionOptions))
        do throws(PostgresError) {
            try await connection.open()
        } catch {
            throw CommandError((isNamed ? "LULL_DATABASE_URL: " : "") + "\(error)")
        }
        do {
            try await body(connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    /// Waits until the named database accepts a connection, with pauses that double up to ten
    /// seconds; logs the reason when it changes, and once a minute.
    ///
    /// - Parameters:
    ///   - configuration: one that names a database.
    ///   - log: where the reasons go.
    /// - Returns: that database.
    static func wait(for configuration: Configuration, log: Log) async -> Database {
        let rest = Alarm()
        var pause = Duration.milliseconds(250)
        var reported: (reason: String, at: Int64)?
        while true {
            let found = Database(
                url: configuration.databaseURL ?? "", server: nil,
                options: configuration.connectionOptions)
            let connection = PostgresConnection(url: found.url, options: found.options)
            do throws(PostgresError) {
                try await connection.open()
                await connection.close()
                return found
            } catch {
                await connection.close()
                let now = SystemClock.bootNanoseconds()
                let isNews = reported.map {
                    $0.reason != error.description || now - $0.at >= 60_000_000_000
                }
                if isNews ?? true {
                    reported = (error.description, now)
                    log.error(
                        "waiting for the database",
                        [
                            ("setting", .string("LULL_DATABASE_URL")),
                            ("error", .string(error.description)),
                        ])
                }
            }
            await rest.wait(upTo: pause)
            pause = min(pause * 2, .seconds(10))
        }
    }

    /// Whether a failure only says that the database does not answer now.
    static func isAway(_ error: any Error) -> Bool {
        if let error = error as? StoreError { return error.code == .unavailable }
        guard let error = error as? PostgresError else { return false }
        return error.isRetryable || error.code == .outcomeUnknown
    }

    /// Applies the missing migrations.
    func migrate(log: Log) async throws -> [Int] {
        let connection = PostgresConnection(url: url, options: Database.patient(options))
        try await connection.open()
        let applied = try await Migrator(connection: connection, log: log).run()
        await connection.close()
        return applied
    }

    /// Writes a new schema of the private server to disk by a checkpoint, so that the stop does not
    /// have to: it takes hundreds of files, each with a sync.
    func settle(log: Log) async {
        guard server != nil else { return }
        let connection = PostgresConnection(url: url, options: Database.patient(options))
        do throws(PostgresError) {
            try await connection.open()
            try await connection.script("CHECKPOINT")
        } catch {
            log.info(
                "checkpoint after creating the schema failed", [("error", .string(error.message))])
        }
        await connection.close()
    }

    /// Stops the private server, if this process started or adopted it.
    func close() async {
        do throws(PostgresError) {
            try await server?.stop()
        } catch {
            complain("the private PostgreSQL did not stop: \(error)")
        }
    }

    /// Options without short time limits: a migration may take long and may wait for another
    /// process.
    private static func patient(_ options: ConnectionOptions) -> ConnectionOptions {
        var options = options
        options.callTimeoutMilliseconds = 3_600_000
        options.statementTimeoutMilliseconds = 0
        options.lockTimeoutMilliseconds = 0
        return options
    }

    /// Creates a directory and its parents.
    static func makeDirectory(_ path: String) throws(ConfigurationError) {
        do throws(Errno) {
            try Directory.make(path, mode: 0o755)
        } catch {
            throw ConfigurationError("LULL_DATA_DIR: \(path) cannot be made: \(error)")
        }
    }
}

extension Configuration {
    /// The directory of the private server.
    var serverDirectory: String { self.dataDirectory + "/postgres" }
}
