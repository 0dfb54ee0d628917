// Bearer keys: each names the app that a request acts for, and its rights.
internal import Core
internal import Crypto
package import HTTPWire
package import Store
internal import Synchronization

/// Checks keys before the router sees a request (RFC 6750 section 2.1).
///
/// A path outside `/v1/` needs no key, nor does one below `/v1/wakes/`, which has a token. The path
/// decides and not the route, so that a request without a key does not show which paths exist; a
/// test holds the routes to the same rule.
/// See docs/decisions/31-keys-are-checked-before-routing.md.
package final class KeyGate: Sendable {
    private struct State {
        var grants: [UInt64: (digest: [UInt8], grant: KeyGrant, until: Timestamp)] = [:]
        /// Digests that are of no valid key.
        var unknown: [UInt64: (digest: [UInt8], until: Timestamp)] = [:]
        var buckets: [Int64: TokenBucket] = [:]
    }

    /// How long a key that was valid, or was not, is not looked up again; a revoked one is accepted
    /// as long.
    private static let memory = Duration.seconds(30)
    private static let digestsAtMost = 10_000

    private let router: Router
    private let metricsNeedKey: Bool
    private let now: @Sendable () -> Timestamp
    private let keys: APIKeys
    private let state = Mutex(State())

    /// A gate before a router.
    ///
    /// - Parameters:
    ///   - dependencies: as for a router; a request acts for the app of its key.
    ///   - keys: where digests are looked up.
    package init(_ dependencies: Dependencies, keys: APIKeys) {
        self.keys = keys
        router = Router(dependencies)
        metricsNeedKey = dependencies.settings.metricsNeedKey
        now = dependencies.now
    }

    /// Answers one request; called on the server's lane.
    package func answer(_ request: Request) -> Answer {
        guard KeyGate.needsKey(request.path) || metricsNeedKey && request.path == "/metrics" else {
            return router.answer(request)
        }
        guard let digest = KeyGate.digest(request) else { return .now(refusal(request)) }
        let now = self.now()
        let known = state.withLock { state -> KeyGrant? in
            guard let entry = state.grants[KeyGate.place(digest)], entry.until > now,
                ConstantTime.areEqual(entry.digest, digest)
            else { return nil }
            return entry.grant
        }
        if let known { return pass(request, known) }
        guard !isUnknown(digest, at: now) else { return .now(refusal(request)) }
        return .later { await self.lookUp(digest, for: request) }
    }

    /// Whether a path opens with a key only.
    static func needsKey(_ path: String) -> Bool {
        path.hasPrefix("/v1/") && !path.hasPrefix("/v1/wakes/")
    }

    /// Refuses what is not a request, as `Router.refuse` does.
    package func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        router.refuse(rejection, of: outline)
    }

    private func lookUp(_ digest: [UInt8], for request: Request) async -> Response {
        let grant: KeyGrant?
        do throws(StoreError) {
            grant = try await keys.grant(ofDigest: digest)
        } catch {
            return router.refuse(request, error)
        }
        let until = now() + KeyGate.memory
        guard let grant else {
            state.withLock { state in
                if state.unknown.count >= KeyGate.digestsAtMost { state.unknown = [:] }
                state.unknown[KeyGate.place(digest)] = (digest, until)
            }
            return refusal(request)
        }
        state.withLock { state in
            if state.grants.count >= KeyGate.digestsAtMost { state.grants = [:] }
            state.grants[KeyGate.place(digest)] = (digest, grant, until)
        }
        switch pass(request, grant) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    /// Whether a digest was looked up lately and is of no valid key.
    ///
    /// Keys are random: one that is made later was not sent before.
    private func isUnknown(_ digest: [UInt8], at now: Timestamp) -> Bool {
        state.withLock { state in
            guard let entry = state.unknown[KeyGate.place(digest)], entry.until > now else {
                return false
            }
            return ConstantTime.areEqual(entry.digest, digest)
        }
    }

    /// Passes a request to the router within the request rate of its app.
    private func pass(_ request: Request, _ grant: KeyGrant) -> Answer {
        guard let rate = grant.requestsPerSecond else {
            return router.answer(request, grant: grant)
        }
        let now = self.now()
        let wait = state.withLock { state in
            state.buckets[grant.app, default: TokenBucket(rate: rate, now: now)]
                .take(rate: rate, now: now)
        }
        guard let wait else { return router.answer(request, grant: grant) }
        let problem = Problem.quota(
            "requests", "This app may send \(rate) requests a second.", retryAfter: wait)
        return .now(router.refuse(request, problem))
    }

    private func refusal(_ request: Request) -> Response {
        var problem = Problem(
            .unauthorized,
            "Send a valid key as \"Authorization: Bearer lull_…\"; lull keys create makes one.")
        problem.headers = [("WWW-Authenticate", "Bearer")]
        return router.refuse(request, problem)
    }

    /// The key of the cache for a digest; the digest of an entry is compared as a whole.
    private static func place(_ digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The digest of the bearer key; keys are looked up by digest, so that timing reveals nothing.
    private static func digest(_ request: Request) -> [UInt8]? {
        guard let field = request.headers["authorization"], field.utf8.count <= 512 else {
            return nil
        }
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return SHA256.digest(of: String(words[1]))
    }
}
