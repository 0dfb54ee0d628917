public import Foundation

/// A Lull service, as one client sees it.
///
/// Each call is one request. A create gets an idempotency key by itself, so it is sent again after a
/// lost connection without being made twice.
///
/// ```swift
/// let lull = Lull(server: URL(string: "http://127.0.0.1:8080")!, key: "lull_…")
/// let download = try await lull.createDownload(NewDownload(url: "https://mirror.example/a.iso"))
/// ```
public struct Lull: Sendable {
    /// Where the service listens; a path in it comes before those of the API.
    public let server: URL
    /// How calls wait and repeat.
    public var options: LullOptions
    let key: String?
    let wire = Wire()
    /// Is told the operation of each call; for tests.
    var onCall: (@Sendable (String) -> Void)?

    /// Makes a client; no request is sent yet.
    ///
    /// - Parameters:
    ///   - server: the http or https URL of the service.
    ///   - key: `lull_…`; nil for a service without keys.
    ///   - options: how calls wait and repeat.
    public init(server: URL, key: String? = nil, options: LullOptions = LullOptions()) {
        self.server = server
        self.key = key
        self.options = options
    }

    /// Makes a client of the service that the environment names: `LULL_SERVER`, without it
    /// `http://127.0.0.1:8080`, and `LULL_KEY`.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        options: LullOptions = LullOptions()
    ) {
        let address = environment["LULL_SERVER"].flatMap { URL(string: $0) }
        self.init(
            server: address ?? URL(filePath: "/").loopback, key: environment["LULL_KEY"],
            options: options)
    }
}

extension URL {
    /// The address at which a service listens by itself.
    fileprivate var loopback: URL {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.host = "127.0.0.1"
        parts.port = 8080
        guard let url = parts.url else {
            preconditionFailure("a scheme, a host and a port are a URL")
        }
        return url
    }
}
