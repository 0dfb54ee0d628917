// The API key of a request that may stay open for long.
internal import Downloads
internal import HTTPWire

/// A key that was valid when its request came, with the means to check it again.
struct HeldKey: Sendable {
    /// The watch that asks the store.
    let watch: KeyWatch
    /// The digest of the key.
    let digest: [UInt8]
    /// The rights that the key gave.
    let grant: KeyGrant
    /// The time at which these rights were read from the store.
    let provenAt: ContinuousClock.Instant

    /// Begins to watch the key; each call has to be followed by `leave`.
    func enter() { watch.enter(digest, grant, provenAt: provenAt) }

    /// Ends the watch that `enter` began.
    func leave() { watch.leave(digest) }

    /// The time for which the request may wait before it asks again.
    var patience: Duration { watch.patience(for: digest) }

    /// The reason why a request to a route has to end now, or nil; only used between `enter` and
    /// `leave`.
    ///
    /// - Returns: `unauthorized`, `insufficient-scope`, or `database-unavailable`.
    func refusal(by route: Route) async -> Problem? {
        switch await watch.verdict(of: digest) {
        case .revoked: return .unauthorized("The key of this request was revoked.")
        case .unproven:
            var problem = Problem(
                .databaseUnavailable,
                "The database does not answer, so it is not known whether the key is still valid. "
                    + "Try again.")
            problem.headers = [("Retry-After", "1")]
            return problem
        case .holds(let grant):
            do throws(Problem) {
                try route.checkScope(grant)
                return nil
            } catch {
                return error
            }
        }
    }
}

extension Call {
    /// The present rights of its key, for a request that stays open.
    var presentGrant: KeyGrant { key.flatMap { $0.watch.grant(of: $0.digest) } ?? grant }

    /// The reason why the key of an open request no longer opens its route; nil if it does.
    func keyRefusal() async -> Problem? { await key?.refusal(by: route) }
}

extension Problem {
    /// The refusal of a request without a valid key (RFC 6750 section 3).
    static func unauthorized(_ detail: String) -> Problem {
        var problem = Problem(.unauthorized, detail)
        problem.headers = [("WWW-Authenticate", "Bearer")]
        return problem
    }
}
