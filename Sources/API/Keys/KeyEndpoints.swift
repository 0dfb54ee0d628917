// Keys: the rights of the one that a request has, and all keys for the operator.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The endpoints `/v1/key` and below `/v1/keys`.
final class KeyEndpoints: EndpointGroup {
    private let auth: String
    private let sessions: Sessions
    let keys: APIKeys
    let changed: @Sendable (KeyChange) -> Void

    /// Creates the group.
    ///
    /// - Parameters:
    ///   - auth: whether requests need a key: `keys` or `none`.
    ///   - sessions: the store of apps and their sessions.
    ///   - keys: the store of keys.
    ///   - changed: logs each change.
    init(
        auth: String, sessions: Sessions, keys: APIKeys,
        changed: @escaping @Sendable (KeyChange) -> Void
    ) {
        self.auth = auth
        self.sessions = sessions
        self.keys = keys
        self.changed = changed
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/key", "getKey", scope: nil, answers: [.json()], .later(get)),
            Route(
                "GET", "/v1/keys", "listKeys", scope: .admin, query: ["app", "limit", "cursor"],
                answers: [.json()], .later(list)),
            Route(
                "POST", "/v1/keys", "createKey", scope: .admin, body: [MediaType.json],
                answers: [.json(201)], .later(create)),
            Route(
                "PATCH", "/v1/keys/{id}", "changeKey", scope: .admin, query: ["last"],
                body: [MediaType.mergePatch, MediaType.json], answers: [.json()], .later(change)),
            Route(
                "DELETE", "/v1/keys/{id}", "deleteKey", scope: .admin, query: ["last"],
                answers: [.empty(204)], .later(delete)),
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
