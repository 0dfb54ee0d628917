// `lull keys`: creates, lists, revokes and limits API keys.
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
    /// Revoke a key.
    case revoke(Int64)
    /// Limit the requests and downloads of an app; nil for no limit.
    case limit(
        app: String, requestsPerSecond: Double?, queued: Int64?, running: Int?, staged: Int64?)

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
            self = .revoke(number)
        default:
            var rate: Double?
            if let text = arguments["--requests-per-second"].last {
                guard let number = Double(text), number > 0, number <= 1_000_000 else {
                    throw UsageError(
                        "--requests-per-second needs a number above 0, up to 1000000", words)
                }
                rate = number
            }
            var queued: Int64?
            if let text = arguments["--queued"].last {
                guard let number = Int64(text), number >= 0 else {
                    throw UsageError("--queued needs a whole number, 0 or more", words)
                }
                queued = number
            }
            var running: Int?
            if let text = arguments["--max-running"].last {
                guard let number = Int(text), (0...10_000).contains(number) else {
                    throw UsageError("--max-running needs a whole number, 0 to 10000", words)
                }
                running = number
            }
            var staged: Int64?
            if let text = arguments["--staged-bytes"].last {
                guard let number = Int64(text), number >= 0 else {
                    throw UsageError("--staged-bytes needs a whole number of bytes", words)
                }
                staged = number
            }
            self = .limit(
                app: app, requestsPerSecond: rate, queued: queued, running: running, staged: staged)
        }
    }

    /// Performs the change.
    ///
    /// - Throws: `CommandError` where there is no deployment, or no such app or key in it.
    func run(_ configuration: Configuration) async throws {
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
            print(key)
            let names = scopes.map(\.rawValue).sorted().joined(separator: ", ")
            complain(
                "key \(number) of app \(app) with the scopes \(names); it is never shown again")
        case .list:
            for key in try await keys.list() { print(Keys.line(of: key)) }
        case .revoke(let number):
            guard try await keys.revoke(number) else {
                throw CommandError("there is no valid key \(number); lull keys list shows all keys")
            }
        case .limit(let app, let rate, let queued, let running, let staged):
            let isKnown = try await keys.limit(
                app: app, requestsPerSecond: rate, queuedAtMost: queued,
                stagedBytesAtMost: staged)
            guard isKnown else {
                throw CommandError("there is no app \(app); lull keys create makes its first key")
            }
            _ = try await keys.limit(app: app, running: running)
            complain(Keys.line(ofApp: app, rate, queued, running, staged))
        }
    }

    private static func line(
        ofApp app: String, _ rate: Double?, _ queued: Int64?, _ running: Int?, _ staged: Int64?
    ) -> String {
        let requests = rate.map { "\($0)" } ?? "any"
        let downloads = queued.map { "\($0)" } ?? "any"
        let runs = running.map { "\($0)" } ?? "any"
        let bytes = staged.map { "\($0)" } ?? "any"
        return "app \(app): \(requests) requests a second, \(downloads) queued, \(runs) running, "
            + "\(bytes) bytes of uploads"
    }

    private static func line(of key: APIKeyRecord) -> String {
        [
            "\(key.number)", key.app, key.createdAt.rfc3339,
            key.revokedAt.map { "revoked \($0.rfc3339)" } ?? "valid",
            key.scopes.joined(separator: ","),
            key.lastUsedAt.map { "used \($0.rfc3339)" } ?? "never used",
        ].joined(separator: "\t")
    }
}

/// The text of a key: `lull_` and 64 hexadecimal digits, 256 random bits.
enum APIKeyText {
    static func make() -> String { "lull_" + Hex.encode(SecureRandom.bytes(32)) }

    /// The digest that the database stores.
    static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: text) }
}
