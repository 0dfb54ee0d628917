// Whether the network of this machine is reached at all, judged by its attempts.
package import Base
package import Downloads

/// Judges from the results of attempts since when the network is not reached.
///
/// It counts as not reached when three origins were missed within 30 s and none was reached
/// meanwhile, or when one was missed while the machine has no route in any address family. Then one
/// download at a time probes it.
package struct NetworkWatch: Equatable, Sendable {
    private struct Miss: Equatable {
        let origin: Int64
        let at: Timestamp
    }

    /// The number of origins whose misses make an outage.
    package static let originsOfOutage = 3
    /// The time within which these misses have to come.
    package static let window = Duration.seconds(30)

    /// The outage; nil while the network works as far as is known.
    package private(set) var outage: Outage?
    /// The last misses of different origins, fewer than an outage needs.
    private var misses: [Miss] = []
    /// The number of downloads that have probed during this outage.
    private var probes = 0
    /// Whether a probe is under way.
    private var isProbing = false

    /// Creates a watch of a network that is reached.
    package init() {}

    /// Whether a reached origin would be news: there is an outage or a miss.
    package var isDoubtful: Bool { outage != nil || !misses.isEmpty }

    /// An origin was not reached.
    ///
    /// - Parameters:
    ///   - origin: its number.
    ///   - hasRoute: whether the machine has a route in any address family.
    ///   - now: the instant.
    package mutating func miss(_ origin: Int64, hasRoute: Bool, at now: Timestamp) {
        guard outage == nil else {
            // An attempt that began before the outage does not set the time of the next probe.
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

    /// A probe begins; other downloads wait for its result.
    package mutating func probe(at now: Timestamp) {
        guard outage != nil else { return }
        probes += 1
        isProbing = true
        outage?.probeAt = now + Outage.longestPause
    }

    /// The probe was stopped before it had an answer: another download may probe.
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
