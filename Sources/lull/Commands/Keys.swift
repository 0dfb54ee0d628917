// `lull keys`: who may speak to the service.
internal import Core
internal import Crypto
internal import Platform
internal import Postgres
internal import Store

/// Makes, lists and revokes API keys.
enum Keys {
    static func run(_ configuration: Configuration, _ arguments: [String]) async -> Int32 {
        let log = Log.standardError(threshold: .warn, json: configuration.logsJSON)
        do {
            let database = try await Database.open(configuration, log: log)
            _ = try await database.migrate(log: log)
            let pool = ConnectionPool(url: database.url, size: 1, log: log)
            let status = try await perform(arguments, APIKeys(pool: pool))
            await pool.close()
            await database.close()
            return status
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func perform(
        _ arguments: [String], _ keys: APIKeys
    ) async throws(StoreError) -> Int32 {
        switch arguments.first {
        case "create":
            guard arguments.count == 3, arguments[1] == "--app", !arguments[2].isEmpty else {
                complain("usage: lull keys create --app NAME")
                return 2
            }
            let key = APIKeyText.make()
            let number = try await keys.create(app: arguments[2], digest: APIKeyText.digest(key))
            print(key)
            complain("key \(number) of app \(arguments[2]); it is shown only now")
            return 0
        case "list":
            for key in try await keys.list() {
                let end = key.revokedAt.map { "revoked \($0.rfc3339)" } ?? "valid"
                print("\(key.number)\t\(key.app)\t\(key.createdAt.rfc3339)\t\(end)")
            }
            return 0
        case "revoke":
            guard arguments.count == 2, let number = Int64(arguments[1]) else {
                complain("usage: lull keys revoke ID")
                return 2
            }
            guard try await keys.revoke(number) else {
                complain("no valid key has the number \(number)")
                return 1
            }
            return 0
        default:
            complain("usage: lull keys create --app NAME | list | revoke ID")
            return 2
        }
    }
}

/// The text of a key: `lull_` and 64 hexadecimal digits, 256 random bits.
enum APIKeyText {
    static func make() -> String { "lull_" + Hex.encode(SecureRandom.bytes(32)) }

    /// What the database keeps of it.
    static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: text) }
}
