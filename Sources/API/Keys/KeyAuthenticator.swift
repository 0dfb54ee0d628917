// Bearer keys: each determines the app that a request acts for, and its rights.
internal import Base
internal import Crypto
internal import Downloads
package import HTTPWire
package import Store
internal import Synchronization

/// Checks keys before the router sees a request (RFC 6750 section 2.1).
///
/// A path outside `/v1/` needs no key, nor does one below `/v1/wakes/` or `/v1/triggers/`, which
/// has a token. The path
/// decides and not the route, so that a request without a key does not show which paths exist; a
/// test holds the routes to the same rule.
/// See docs/decisions/keys-and-rights.md.
package final class KeyAuthenticator: Sendable {
    private struct State {
        var grants: [UInt64: (key: HeldKey, until: Timestamp)] = [:]
        /// Digests of keys that are not valid.
        var unknown: [UInt64: (digest: [UInt8], until: Timestamp)] = [:]
        var buckets: [Int64: TokenBucket] = [:]
    }

    /// The time for which an invalid key is not looked up again.
    private static let unknownMemory = Duration.seconds(30)
    private static let digestsAtMost = 10_000

    private let router: Router
    private let metricsNeedKey: Bool
    private let now: @Sendable () -> Timestamp
    private let keys: APIKeys
    /// The time for which a valid key is not looked up again; a revoked one is accepted as long.
    private let memory: Duration
    /// The keys of open requests.
    let watch: KeyWatch
    private let state = Mutex(State())

    /// Creates an authenticator before a router.
    ///
    /// - Parameters:
    ///   - dependencies: as for a router; a request acts for the app of its key.
    ///   - keys: where digests are looked up.
    package convenience init(_ dependencies: Dependencies, keys: APIKeys) {
        self.init(dependencies, keys: keys, interval: KeyWatch.interval)
    }

    /// Creates an authenticator that looks keys up again after an interval.
    init(_ dependencies: Dependencies, keys: APIKeys, interval: Duration) {
        self.keys = keys
        memory = interval
        watch = KeyWatch(keys: keys, interval: interval)
        router = Router(dependencies)
        metricsNeedKey = dependencies.settings.metricsNeedKey
        now = dependencies.now
    }

    /// Answers one request; called on the server's lane.
    package func answer(_ request: Request) -> Answer {
        if let preflight = router.preflight(request) { return .now(preflight) }
        return router.shared(checked(request), with: request)
    }

    private func checked(_ request: Request) -> Answer {
        guard
            KeyAuthenticator.needsKey(request.path) || metricsNeedKey && request.path == "/metrics"
        else {
            return router.answerWithoutKey(request)
        }
        guard let digest = KeyAuthenticator.digest(request) else { return .now(refusal(request)) }
        let now = self.now()
        let known = state.withLock { state -> HeldKey? in
            guard let entry = state.grants[KeyAuthenticator.place(digest)], entry.until > now,
                ConstantTime.areEqual(entry.key.digest, digest)
            else { return nil }
            return entry.key
        }
        if let known { return pass(request, known) }
        guard !isUnknown(digest, at: now) else { return .now(refusal(request)) }
        return .later { await self.lookUp(digest, for: request) }
    }

    /// Whether a path needs a key.
    static func needsKey(_ path: String) -> Bool {
        path.hasPrefix("/v1/") && !path.hasPrefix("/v1/wakes/")
            && !path.hasPrefix(TriggerEndpoints.callPath)
    }

    /// Whether the endpoint of a request reads the content while it arrives.
    package func streamsBody(_ request: Request) -> Bool { router.streamsBody(request) }

    /// Refuses bytes that are no request, as `Router.refuse` does.
    package func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        router.refuse(rejection, of: outline)
    }

    private func lookUp(_ digest: [UInt8], for request: Request) async -> Response {
        let provenAt = ContinuousClock.now
        let began = now()
        let grant: KeyGrant?
        do throws(StoreError) {
            grant = try await keys.grant(ofDigest: digest)
        } catch {
            return router.refuse(request, error)
        }
        guard let grant else {
            let until = now() + KeyAuthenticator.unknownMemory
            state.withLock { state in
                if state.unknown.count >= KeyAuthenticator.digestsAtMost { state.unknown = [:] }
                state.unknown[KeyAuthenticator.place(digest)] = (digest, until)
            }
            return refusal(request)
        }
        let key = HeldKey(watch: watch, digest: digest, grant: grant, provenAt: provenAt)
        state.withLock { state in
            if state.grants.count >= KeyAuthenticator.digestsAtMost { state.grants = [:] }
            state.grants[KeyAuthenticator.place(digest)] = (key, began + memory)
        }
        switch pass(request, key) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    /// Whether a digest was looked up lately and belongs to no valid key.
    ///
    /// Keys are random, so one that is created later was not sent before.
    private func isUnknown(_ digest: [UInt8], at now: Timestamp) -> Bool {
        state.withLock { state in
            guard let entry = state.unknown[KeyAuthenticator.place(digest)], entry.until > now
            else {
                return false
            }
            return ConstantTime.areEqual(entry.digest, digest)
        }
    }

    /// Passes a request to the router within the request rate of its app.
    private func pass(_ request: Request, _ key: HeldKey) -> Answer {
        let grant = key.grant
        guard let rate = grant.requestsPerSecond else {
            return router.answer(request, grant: grant, key: key)
        }
        let now = self.now()
        let wait = state.withLock { state in
            state.buckets[grant.app, default: TokenBucket(rate: rate, now: now)]
                .take(rate: rate, now: now)
        }
        guard let wait else { return router.answer(request, grant: grant, key: key) }
        let problem = Problem.quota(
            "requests",
            "This app may send \(rate) requests a second. Send fewer, or let the operator raise "
                + "the limit (lull keys limit).",
            retryAfter: wait)
        return .now(router.refuse(request, problem))
    }

    private func refusal(_ request: Request) -> Response {
        let detail =
            "Send a valid key as \"Authorization: Bearer lull_…\". The operator makes one with "
            + "lull keys create."
        return router.refuse(request, .unauthorized(detail))
    }

    /// The cache's key for a digest; the digest of an entry is compared as a whole.
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
