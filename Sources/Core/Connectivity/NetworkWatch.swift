// Whether this machine's network works at all, by what attempts found.

/// Takes what attempts found and says since when the network is not reached.
///
/// It is not when three origins were missed within 30 s and none was reached meanwhile, or one
/// while the machine has no route in any address family. Then one download at a time tries.
package struct NetworkWatch: Equatable, Sendable {
    private struct Miss: Equatable {
        let origin: Int64
        let at: Timestamp
    }

    /// So many origins are an outage.
    package static let originsOfOutage = 3
    /// Within this time.
    package static let window = Duration.seconds(30)

    /// The outage; nil while the network works as far as is known.
    package private(set) var outage: Outage?
    /// The last misses of different origins, fewer than an outage has.
    private var misses: [Miss] = []
    /// How many downloads were let through in this outage.
    private var probes = 0
    /// Whether one of them is under way.
    private var isProbing = false

    /// It works.
    package init() {}

    /// Whether anything is to be learned from an origin that is reached.
    package var isDoubtful: Bool { outage != nil || !misses.isEmpty }

    /// An origin was not reached.
    ///
    /// - Parameters:
    ///   - origin: its number.
    ///   - hasRoute: whether the machine has a route in any address family.
    ///   - now: the instant.
    package mutating func miss(_ origin: Int64, hasRoute: Bool, at now: Timestamp) {
        guard outage == nil else {
            // What began before says nothing of when to try again.
            guard isProbing else { return }
            isProbing = false
            outage?.probeAt = now + Outage.pause(afterProbes: probes)
            return
        }
        misses.removeAll {
            $0.origin == origin || $0.at > now || now - $0.at > NetworkWatch.window
        }
        misses.append(Miss(origin: origin, at: now))
        guard !hasRoute || misses.count >= NetworkWatch.originsOfOutage else { return }
        outage = Outage(since: now, probeAt: now + Outage.pause(afterProbes: 0))
        misses = []
    }

    /// An origin was reached: the network works.
    package mutating func reach() { self = NetworkWatch() }

    /// A download was let through to try; others wait for what it finds.
    package mutating func probe(at now: Timestamp) {
        guard outage != nil else { return }
        probes += 1
        isProbing = true
        outage?.probeAt = now + Outage.longestPause
    }

    /// That download was stopped before it had an answer: another one may try.
    package mutating func release(at now: Timestamp) {
        guard isProbing else { return }
        isProbing = false
        outage?.probeAt = now
    }

    /// A clock that was set back does not put the next probe off.
    package mutating func adjust(to now: Timestamp) {
        guard let outage else { return }
        self.outage?.probeAt = min(outage.probeAt, now + Outage.longestPause)
    }
}
