// The rights of a key, for clients that show only the actions that it allows.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoint of a key's own rights.
final class KeyEndpoints: EndpointGroup {
    private let auth: String
    private let sessions: Sessions

    /// Creates the group.
    ///
    /// - Parameters:
    ///   - auth: whether requests need a key: `keys` or `none`.
    ///   - sessions: the store of apps and their sessions.
    init(auth: String, sessions: Sessions) { (self.auth, self.sessions) = (auth, sessions) }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/key", "getKey", scope: nil, answers: [.json()], .later(get))
        ]
    }

    /// `GET /v1/key`: the rights of the key of the request; without keys all of them.
    private func get(_ call: Call) async throws(Problem) -> Response {
        let app = try await call.stored { () throws(StoreError) in
            try await sessions.appName(call.app)
        }
        let grant = call.grant
        var limits = JSONObject()
        limits.append(
            "requests_per_second", grant.requestsPerSecond.map { .number($0) } ?? .null)
        limits.append("queued", grant.queuedAtMost.map { .integer($0) } ?? .null)
        limits.append("staged_bytes", grant.stagedBytesAtMost.map { .integer($0) } ?? .null)
        let scopes = KeyScope.allCases.filter(grant.scopes.contains)
        return .json([
            "app": .string(app),
            "scopes": .array(scopes.map { .string($0.rawValue) }), "limits": .object(limits),
            "auth": .string(auth),
        ])
    }
}
