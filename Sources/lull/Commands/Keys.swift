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
            guard let options = Options(arguments.dropFirst(), known: ["--app", "--scope"]),
                let app = options.values("--app").last, !app.isEmpty,
                let scopes = scopes(options.values("--scope"))
            else {
                let names = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
                complain("usage: lull keys create --app NAME [--scope SCOPE]...; scopes: \(names)")
                return 2
            }
            let key = APIKeyText.make()
            let number = try await keys.create(
                app: app, digest: APIKeyText.digest(key), scopes: scopes)
            print(key)
            complain("key \(number) of app \(app); it is shown only now")
            return 0
        case "limit":
            return try await limit(arguments.dropFirst(), keys)
        case "list":
            for key in try await keys.list() {
                let end = key.revokedAt.map { "revoked \($0.rfc3339)" } ?? "valid"
                let use = key.lastUsedAt.map { "used \($0.rfc3339)" } ?? "never used"
                let scopes = key.scopes.joined(separator: ",")
                print(
                    "\(key.number)\t\(key.app)\t\(key.createdAt.rfc3339)\t\(end)\t\(scopes)\t\(use)"
                )
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
            complain("usage: lull keys create --app NAME | limit --app NAME | list | revoke ID")
            return 2
        }
    }

    private static func scopes(_ names: [String]) -> Set<KeyScope>? {
        guard !names.isEmpty else { return KeyScope.standard }
        let scopes = names.compactMap { KeyScope(rawValue: $0) }
        return scopes.count == names.count ? Set(scopes) : nil
    }

    private static func limit(
        _ arguments: ArraySlice<String>, _ keys: APIKeys
    ) async throws(StoreError) -> Int32 {
        let rateName = "--requests-per-second"
        let options = Options(arguments, known: ["--app", rateName, "--queued"])
        let rate = options?.values(rateName).last
        let queued = options?.values("--queued").last
        guard let app = options?.values("--app").last,
            rate.map({ Double($0).map { $0 > 0 && $0 <= 1_000_000 } ?? false }) ?? true,
            queued.map({ Int64($0).map { $0 >= 0 } ?? false }) ?? true
        else {
            complain("usage: lull keys limit --app NAME [\(rateName) N] [--queued N]")
            return 2
        }
        let isKnown = try await keys.limit(
            app: app, requestsPerSecond: rate.flatMap { Double($0) },
            queuedAtMost: queued.flatMap { Int64($0) })
        guard isKnown else {
            complain("no app has the name \(app)")
            return 1
        }
        complain("app \(app): \(rate ?? "any") requests a second, \(queued ?? "any") queued")
        return 0
    }

    /// `--name value` pairs.
    private struct Options {
        private var pairs: [(name: String, value: String)] = []

        init?(_ arguments: some Collection<String>, known: Set<String>) {
            var rest = Array(arguments)[...]
            while let name = rest.popFirst() {
                guard known.contains(name), let value = rest.popFirst() else { return nil }
                pairs.append((name, value))
            }
        }

        func values(_ name: String) -> [String] {
            pairs.filter { $0.name == name }.map(\.value)
        }
    }
}

/// The text of a key: `lull_` and 64 hexadecimal digits, 256 random bits.
enum APIKeyText {
    static func make() -> String { "lull_" + Hex.encode(SecureRandom.bytes(32)) }

    /// What the database keeps of it.
    static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: text) }
}
