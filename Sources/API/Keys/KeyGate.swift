// Who may pass: a bearer key names the app whose downloads are seen.
internal import Core
internal import Crypto
package import HTTPWire
package import Store
internal import Synchronization

/// Checks keys before the router sees a request (RFC 6750 section 2.1).
///
/// Paths outside `/v1/` are open: probes, the description, the pages of problems.
package final class KeyGate: Sendable {
    private struct State {
        var grants: [UInt64: (digest: [UInt8], grant: KeyGrant, until: Timestamp)] = [:]
        var buckets: [Int64: TokenBucket] = [:]
        var routers: [Int64: Router] = [:]
    }

    /// A revoked key may pass this long where it was used before.
    private static let memory = Duration.seconds(30)
    private static let digestsAtMost = 10_000

    private let dependencies: Dependencies
    private let open: Router
    private let keys: APIKeys
    private let state = Mutex(State())

    /// A gate before routers over the same dependencies, one for each app.
    ///
    /// - Parameters:
    ///   - dependencies: as for a router; their app is replaced by the key's.
    ///   - keys: where digests are looked up.
    package init(_ dependencies: Dependencies, keys: APIKeys) {
        self.dependencies = dependencies
        self.keys = keys
        open = Router(dependencies)
    }

    /// Answers one request; called on the server's lane.
    package func answer(_ request: Request) -> Answer {
        guard request.path.hasPrefix("/v1/") else { return open.answer(request) }
        guard let digest = KeyGate.digest(request) else { return .now(refusal(request)) }
        let now = dependencies.now()
        let known = state.withLock { state -> KeyGrant? in
            guard let entry = state.grants[KeyGate.place(digest)], entry.until > now,
                ConstantTime.areEqual(entry.digest, digest)
            else { return nil }
            return entry.grant
        }
        if let known { return pass(request, known) }
        return .later { await self.lookUp(digest, for: request) }
    }

    /// Refuses what is not a request, as `Router.refuse` does.
    package func refuse(_ rejection: Rejection, of outline: RequestOutline) -> Response {
        open.refuse(rejection, of: outline)
    }

    private func lookUp(_ digest: [UInt8], for request: Request) async -> Response {
        let grant: KeyGrant?
        do throws(StoreError) {
            grant = try await keys.grant(ofDigest: digest)
        } catch {
            return open.refuse(request, error)
        }
        guard let grant else { return refusal(request) }
        let until = dependencies.now() + KeyGate.memory
        state.withLock { state in
            if state.grants.count >= KeyGate.digestsAtMost { state.grants = [:] }
            state.grants[KeyGate.place(digest)] = (digest, grant, until)
        }
        switch pass(request, grant) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    /// Lets a request through if its app may ask at this rate.
    private func pass(_ request: Request, _ grant: KeyGrant) -> Answer {
        let router = router(of: grant.app)
        guard let rate = grant.requestsPerSecond else {
            return router.answer(request, grant: grant)
        }
        let now = dependencies.now()
        let wait = state.withLock { state in
            state.buckets[grant.app, default: TokenBucket(rate: rate, now: now)]
                .take(rate: rate, now: now)
        }
        guard let wait else { return router.answer(request, grant: grant) }
        let problem = Problem.quota(
            "requests", "This app may send \(rate) requests a second.", retryAfter: wait)
        return .now(open.refuse(request, problem))
    }

    private func router(of app: Int64) -> Router {
        state.withLock { state in
            if let router = state.routers[app] { return router }
            var own = dependencies
            own.settings.app = app
            let router = Router(own)
            state.routers[app] = router
            return router
        }
    }

    private func refusal(_ request: Request) -> Response {
        var problem = Problem(
            .unauthorized,
            "Send a valid key as \"Authorization: Bearer lull_…\"; lull keys create makes one.")
        problem.headers = [("WWW-Authenticate", "Bearer")]
        return open.refuse(request, problem)
    }

    /// Where a digest is remembered; what is found there is compared whole.
    private static func place(_ digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The digest of the key; the lookup is by digest, so its time says nothing about the key.
    private static func digest(_ request: Request) -> [UInt8]? {
        guard let field = request.headers["authorization"], field.utf8.count <= 512 else {
            return nil
        }
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return SHA256.digest(of: String(words[1]))
    }
}
