// `lull migrate`: updates the schema without starting the service.
internal import Platform
internal import Store

/// Brings the database to this program's schema.
enum Migrate {
    static func run(_ configuration: Configuration) async throws {
        try Preflight.check(configuration)
        let log = Log.standardError(
            threshold: configuration.logLevel, json: configuration.logsJSON)
        let database = try await Database.open(
            configuration, server: Database.server(configuration, log: log), log: log)
        do {
            let applied = try await database.migrate(log: log)
            print(
                "the database has schema \(Schema.migrations.count); \(applied.count) migrations "
                    + "were applied")
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }
}
