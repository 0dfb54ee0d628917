// Checks whether the keys of open requests are still valid.
internal import Downloads
internal import Store
internal import Synchronization

/// Looks up the keys of all open streams and long polls again, in one statement.
///
/// It has no task of its own: a request that finds its key due looks up all of them. A request is
/// admitted with an answer of up to `interval` ago, and `interval` later its key is looked up
/// again; both together are shorter than `trust`, after which a key that could not be looked up
/// ends its request.
final class KeyWatch: Sendable {
    /// Whether a key is still valid.
    enum Verdict: Sendable, Equatable {
        /// It has these rights, or had them when it was looked up less than `trust` ago.
        case holds(KeyGrant)
        /// It was revoked.
        case revoked
        /// The database has not confirmed it for `trust`.
        case unproven
    }

    private struct Watched {
        /// The rights; nil after it was revoked.
        var grant: KeyGrant?
        /// The instant before the statement that confirmed it.
        var provenAt: ContinuousClock.Instant
        /// The number of open requests with it.
        var holders: Int
    }

    private struct State {
        var open: [[UInt8]: Watched] = [:]
        var isLooking = false
        /// The earliest time at which the database is asked again after a failure.
        var retryAt = ContinuousClock.now
    }

    /// The time for which a grant is remembered, and the interval at which a watched key is looked
    /// up.
    static let interval = Duration.seconds(12)
    /// The time for which a verdict is valid.
    static let trust = Duration.seconds(30)
    private static let pause = Duration.seconds(1)

    private let keys: APIKeys
    private let interval: Duration
    private let trust: Duration
    private let state = Mutex(State())

    /// Creates a watch over the store of keys.
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

    /// The number of watched keys.
    var count: Int { state.withLock { $0.open.count } }

    /// Begins to watch the key of an open request; each call has to be followed by `leave`.
    func enter(_ digest: [UInt8], _ grant: KeyGrant, provenAt: ContinuousClock.Instant) {
        state.withLock { state in
            var watched =
                state.open[digest] ?? Watched(grant: grant, provenAt: provenAt, holders: 0)
            watched.holders += 1
            state.open[digest] = watched
        }
    }

    /// Ends the watch that `enter` began.
    func leave(_ digest: [UInt8]) {
        state.withLock { state in
            state.open[digest]?.holders -= 1
            if state.open[digest]?.holders == 0 { state.open[digest] = nil }
        }
    }

    /// Whether a watched key is still valid; looks all keys up if this one is due.
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

    /// The rights of a watched key at the last look-up; nil after it was revoked.
    func grant(of digest: [UInt8]) -> KeyGrant? { state.withLock { $0.open[digest]?.grant } }

    /// The time for which a request may wait before it asks again.
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
            // Not logged, because the requests read the database as well and log that it does not
            // answer.
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
