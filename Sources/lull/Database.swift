// The database of this process: somebody's, or a private one in the data directory.
internal import Core
internal import Glibc
internal import Platform
internal import Postgres
internal import Store

/// A database that can be used, and the private server if there is one.
struct Database: Sendable {
    let url: String
    let server: EmbeddedServer?

    /// Finds the database, or makes and starts a private one.
    ///
    /// - Throws: `PostgresError`, or `ConfigurationError` if the data directory cannot be made.
    static func open(_ configuration: Configuration, log: Log) async throws -> Database {
        try makeDirectory(configuration.dataDirectory)
        if let url = configuration.databaseURL { return Database(url: url, server: nil) }
        let directory = configuration.dataDirectory + "/postgres"
        log.info("no LULL_DATABASE_URL: private PostgreSQL", [("directory", .string(directory))])
        let server = EmbeddedServer(directory: directory, log: log)
        return Database(url: try await server.start(), server: server)
    }

    /// Applies what is missing of the schema.
    func migrate(log: Log) async throws -> [Int] {
        let connection = PostgresConnection(url: url, options: Database.patient)
        try await connection.open()
        let applied = try await Migrator(connection: connection, log: log).run()
        await connection.close()
        return applied
    }

    /// Stops the private server, if it is ours.
    func close() async {
        do throws(PostgresError) {
            try await server?.stop()
        } catch {
            complain("the private PostgreSQL did not stop: \(error)")
        }
    }

    /// A migration may take long and may wait for another process.
    private static var patient: ConnectionOptions {
        var options = ConnectionOptions()
        options.statementTimeoutMilliseconds = 0
        options.lockTimeoutMilliseconds = 0
        return options
    }

    /// Makes a directory and what is missing above it.
    static func makeDirectory(_ path: String) throws(ConfigurationError) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/")
            made += part
            guard !part.isEmpty, part != "." else { continue }
            let result = unsafe mkdir(made, 0o755)
            guard result == 0 || errno == EEXIST else {
                throw ConfigurationError(
                    "LULL_DATA_DIR: \(made) cannot be made: \(Errno.current)")
            }
        }
    }
}
