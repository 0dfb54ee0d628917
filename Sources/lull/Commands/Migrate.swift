// `lull migrate`: the schema without the service.
internal import Platform
internal import Postgres
internal import Store

/// Brings the database to this program's schema.
enum Migrate {
    static func run(_ configuration: Configuration) async -> Int32 {
        let log = Log.standardError(
            threshold: configuration.logLevel, json: configuration.logsJSON)
        do {
            let database = try await Database.open(configuration, log: log)
            let applied = try await database.migrate(log: log)
            print("schema \(Schema.migrations.count), \(applied.count) applied now")
            await database.close()
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }
}
