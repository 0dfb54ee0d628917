// `lull check-config`: finds the errors that serve would refuse, without a network, a port or a
// write.
internal import Platform
internal import Postgres
internal import Store

/// Checks the configuration and prints it.
enum CheckConfig {
    /// Prints each setting with its value, after the same checks as those of serve.
    ///
    /// - Parameters:
    ///   - values: the texts that were set.
    ///   - configuration: what they mean.
    ///   - connects: whether the database is checked as well, by a connection that changes nothing
    ///     in it.
    /// - Throws: `ConfigurationError`; `CommandError` for a database that does not do.
    static func run(
        _ values: SettingValues, _ configuration: Configuration, connects: Bool
    ) async throws {
        try Preflight.check(configuration)
        let database = connects ? try await judgeDatabase(configuration) : nil
        for setting in SettingTable.all {
            let given = values.given(setting.name)
            let value = given ?? setting.standard
            let shown = setting.isSecret && value != nil ? "********" : value ?? ""
            let place = values.isFromFile(setting.name) ? "  # from the file" : ""
            let origin = given == nil ? "  # default" : place
            print("\(setting.name)=\(shown)\(origin)")
        }
        if let database { print("# database: \(database)") }
    }

    private static func judgeDatabase(_ configuration: Configuration) async throws -> String {
        guard let url = configuration.databaseURL else {
            switch EmbeddedServer.find(in: configuration.serverDirectory) {
            case .absent: return "private; lull serve will create it"
            case .stopped: return "private, not running; lull serve will start it"
            case .running(let url): return "private, \(try await judge(url, configuration))"
            }
        }
        return try await judge(url, configuration)
    }

    private static func judge(
        _ url: String, _ configuration: Configuration
    ) async throws -> String {
        var words = ""
        try await Database.reach(configuration, url) { connection in
            let settings = try await connection.durabilitySettings()
            try Preflight.check(settings)
            let pending = try await Migrator(connection: connection, log: .silent).pending()
            words = "PostgreSQL \(settings.serverVersion / 10_000), "
            words +=
                pending == 0
                ? "with the schema of this version of lull"
                : "lull serve will apply \(pending) migrations"
            guard pending == 0 else { return }
            // The pool's connection ends with the process.
            _ = try await Serve(configuration).policyInForce(
                ConnectionPool(url: url, size: 1, options: configuration.connectionOptions))
        }
        return words
    }
}
