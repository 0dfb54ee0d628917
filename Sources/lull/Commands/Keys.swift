// `lull keys`: creates, lists, revokes and limits API keys, in the data directory.
internal import API
internal import Base
internal import Client
internal import Crypto
internal import Downloads
internal import Platform
internal import Postgres
internal import Store

/// A change to the keys of an existing deployment.
enum Keys: Sendable {
    /// Create a key for an app.
    case create(app: String, scopes: Set<KeyScope>)
    /// Print all keys.
    case list
    /// Revoke a key; over the API the last one with `admin` only where that is allowed.
    case revoke(Int64, isLastAllowed: Bool)
    /// Change the limits of an app that are given, and show all.
    case limit(app: String, AppLimitChange)

    /// Reads the arguments of the command; opens nothing.
    init(_ arguments: Arguments) throws(UsageError) {
        let words = arguments.command.words
        let app = arguments["--app"].last ?? ""
        switch arguments.command.name {
        case "keys create":
            var scopes: Set<KeyScope> = []
            for name in arguments["--scope"] {
                guard let scope = KeyScope(rawValue: name) else {
                    let hint = Spelling.hint(name, KeyScope.allCases.map(\.rawValue))
                    throw UsageError("--scope: \(name) is not a scope\(hint)", words)
                }
                scopes.insert(scope)
            }
            self = .create(app: app, scopes: scopes.isEmpty ? KeyScope.standard : scopes)
        case "keys list":
            self = .list
        case "keys revoke":
            guard let number = Int64(arguments.operands[0]) else {
                throw UsageError("ID is the number that lull keys list shows first", words)
            }
            self = .revoke(number, isLastAllowed: arguments.has("--last"))
        default:
            self = .limit(app: app, try Keys.change(arguments, words))
        }
    }

    /// Reads the limits that a command line changes; `any` removes one.
    private static func change(
        _ arguments: Arguments, _ words: [String]
    ) throws(UsageError) -> AppLimitChange {
        func limit<Value>(
            _ option: String, _ rule: String, _ read: (String) -> Value?
        ) throws(UsageError) -> AppLimitChange.Limit<Value> {
            guard let text = arguments[option].last else { return .unchanged }
            if text == "any" { return .none }
            guard let value = read(text) else {
                throw UsageError("\(option) needs \(rule), or any for no limit", words)
            }
            return .most(value)
        }
        var change = AppLimitChange()
        change.requestsPerSecond = try limit(
            "--requests-per-second", "a number above 0, up to 1000000"
        ) { text in Double(text).flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil } }
        change.queued = try limit("--queued", "a whole number, 0 or more") { text in
            Int64(text).flatMap { $0 >= 0 ? $0 : nil }
        }
        change.running = try limit("--max-running", "a whole number, 0 to 10000") { text in
            Int32(text).flatMap { (0...10_000).contains($0) ? $0 : nil }
        }
        change.stagedBytes = try limit("--staged-bytes", "a size such as 20GB") { text in
            do throws(QuantityError) { return try ByteCount.parse(text) } catch { return nil }
        }
        return change
    }

    /// Performs the change: over the API of the service that the command or the environment names
    /// or has a key for, else in the data directory, and where that has no database over the API of
    /// the service that listens on this machine.
    ///
    /// - Throws: `CommandError` where there is no deployment, or no such app or key in it, and
    ///   `ClientFailure` for a refusal of the API.
    func run(
        _ arguments: Arguments, _ configuration: Configuration, environment: [String: String]
    ) async throws {
        let own = Healthcheck.address(configuration)
        guard try !KeyCalls.areMeant(arguments, environment: environment, own: own) else {
            return try perform(KeyCalls(arguments, environment: environment))
        }
        do {
            try await run(configuration)
        } catch let absent as NoDeployment {
            guard Healthcheck.isAnswered(own) else { throw absent }
            try perform(KeyCalls(arguments, environment: environment, server: own))
        }
    }

    private func run(_ configuration: Configuration) async throws {
        try await Database.lend(configuration) { pool in
            try await perform(APIKeys(pool: pool))
        }
    }

    private func perform(_ keys: APIKeys) async throws {
        switch self {
        case .create(let app, let scopes):
            let key = APIKeyText.make()
            let number = try await keys.create(
                app: app, digest: APIKeyText.digest(key), scopes: scopes)
            Keys.show(key, number, app, scopes)
        case .list:
            for key in try await keys.list() { print(Keys.line(of: key)) }
        case .revoke(let number, _):
            guard case .done = try await keys.revoke(number) else {
                throw CommandError("there is no valid key \(number); lull keys list shows all keys")
            }
        case .limit(let app, let change):
            guard let limits = try await keys.limit(app: app, change) else {
                throw CommandError("there is no app \(app); lull keys create makes its first key")
            }
            print(Keys.line(ofApp: app, limits))
        }
    }

    /// Prints a new key, and on standard error its number.
    static func show(_ key: String, _ number: Int64, _ app: String, _ scopes: Set<KeyScope>) {
        print(key)
        let names = scopes.map(\.rawValue).sorted().joined(separator: ", ")
        complain("key \(number) of app \(app) with the scopes \(names); it is never shown again")
    }

    static func line(ofApp app: String, _ limits: AppLimits) -> String {
        let requests = limits.requestsPerSecond.map { "\($0)" } ?? "any"
        let downloads = limits.queued.map { "\($0)" } ?? "any"
        let runs = limits.running.map { "\($0)" } ?? "any"
        let bytes = limits.stagedBytes.map { ByteCount.print($0) } ?? "any"
        return "app \(app): \(requests) requests a second, \(downloads) queued, \(runs) running, "
            + "\(bytes) of uploads"
    }

    private static func line(of key: APIKeyRecord) -> String {
        line(
            key.number, key.app, key.createdAt.rfc3339, revoked: key.revokedAt?.rfc3339,
            key.scopes, used: key.lastUsedAt?.rfc3339)
    }

    static func line(
        _ number: Int64, _ app: String, _ created: String, revoked: String?, _ scopes: [String],
        used: String?
    ) -> String {
        [
            "\(number)", app, created, revoked.map { "revoked \($0)" } ?? "valid",
            scopes.joined(separator: ","), used.map { "used \($0)" } ?? "never used",
        ].joined(separator: "\t")
    }
}
