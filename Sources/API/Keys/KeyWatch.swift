// Whether the keys of requests that stay open are still valid.
internal import Core
internal import Store
internal import Synchronization

/// Looks up the keys of all open streams and long polls again, in one statement for all of them.
///
/// No task of its own does this: the request that finds its key due looks for every other as well.
/// A request is admitted with what was known up to `interval` ago, and `interval` later its key is
/// looked up again; both together are shorter than `trust`, after which a key that could not be
/// looked up ends its request.
final class KeyWatch: Sendable {
    /// Whether a key is still valid.
    enum Verdict: Sendable, Equatable {
        /// It opens this, or did when it was looked up less than `trust` ago.
        case holds(KeyGrant)
        /// It is of no app any more.
        case revoked
        /// The database has not said for `trust` whether it is valid.
        case unproven
    }

    private struct Watched {
        /// Nil once it was revoked.
        var grant: KeyGrant?
        /// From before the statement that said so.
        var provenAt: ContinuousClock.Instant
        /// How many open requests have it.
        var holders: Int
    }

    private struct State {
        var open: [[UInt8]: Watched] = [:]
        var isLooking = false
        /// Not before this instant is the database asked again after a failure.
        var retryAt = ContinuousClock.now
    }

    /// How long a grant is remembered, and how often a watched key is looked up again.
    static let interval = Duration.seconds(12)
    /// For how long a verdict counts.
    static let trust = Duration.seconds(30)
    private static let pause = Duration.seconds(1)

    private let keys: APIKeys
    private let interval: Duration
    private let trust: Duration
    private let state = Mutex(State())

    /// Watches keys in a store.
    ///
    /// - Parameters:
    ///   - keys: where they are looked up.
    ///   - interval: after how long a key is looked up again.
    ///   - trust: for how long a verdict counts while the store does not answer.
    init(keys: APIKeys, interval: Duration, trust: Duration = KeyWatch.trust) {
        self.keys = keys
        self.interval = interval
        self.trust = trust
    }

    /// How many keys are watched.
    var count: Int { state.withLock { $0.open.count } }

    /// Begins to watch the key of an open request; each call needs its `leave`.
    func enter(_ digest: [UInt8], _ grant: KeyGrant, provenAt: ContinuousClock.Instant) {
        state.withLock { state in
            var watched =
                state.open[digest] ?? Watched(grant: grant, provenAt: provenAt, holders: 0)
            watched.holders += 1
            state.open[digest] = watched
        }
    }

    /// Ends what `enter` began.
    func leave(_ digest: [UInt8]) {
        state.withLock { state in
            state.open[digest]?.holders -= 1
            if state.open[digest]?.holders == 0 { state.open[digest] = nil }
        }
    }

    /// Whether a watched key is still valid; looks up all keys if this one is due.
    func verdict(of digest: [UInt8]) async -> Verdict {
        let due = state.withLock { state -> [[UInt8]]? in
            guard let watched = state.open[digest], watched.grant != nil, !state.isLooking,
                watched.provenAt + interval <= .now, state.retryAt <= .now
            else { return nil }
            state.isLooking = true
            return state.open.compactMap { $0.value.grant == nil ? nil : $0.key }
        }
        if let due { await look(at: due) }
        return state.withLock { state in
            guard let watched = state.open[digest], let grant = watched.grant else {
                return .revoked
            }
            return watched.provenAt + trust > .now ? .holds(grant) : .unproven
        }
    }

    /// The rights of a watched key when it was looked up last; nil once it was revoked.
    func grant(of digest: [UInt8]) -> KeyGrant? { state.withLock { $0.open[digest]?.grant } }

    /// How long a request may wait until it asks again.
    func patience(for digest: [UInt8]) -> Duration {
        let shortest = min(interval, KeyWatch.pause)
        return state.withLock { state in
            guard let watched = state.open[digest] else { return shortest }
            return max(watched.provenAt + interval - .now, shortest)
        }
    }

    private func look(at digests: [[UInt8]]) async {
        let began = ContinuousClock.now
        let found: [[UInt8]: KeyGrant]
        do throws(StoreError) {
            found = try await keys.grants(ofDigests: digests)
        } catch {
            // The requests read the database as well, and log that it does not answer.
            state.withLock { state in
                state.isLooking = false
                state.retryAt = .now + KeyWatch.pause
            }
            return
        }
        state.withLock { state in
            state.isLooking = false
            for digest in digests where state.open[digest] != nil {
                state.open[digest]?.grant = found[digest]
                state.open[digest]?.provenAt = began
            }
        }
    }
}
