// The times at which origins, or the network of this replica, were not reached, as seen here.
internal import Base
internal import Downloads

/// The outages of the last days; bounded.
struct OutageHistory: Equatable, Sendable {
    /// The key for the network, which no origin has.
    private static let network: Int64 = -1

    private var pauses = PauseHistory<Int64>()
    /// The origins that were not reached at the last look.
    private var open: Set<Int64> = []
    private static let originsAtMost = 1024

    /// Whether there was no outage at the last look.
    var isOver: Bool { open.isEmpty }

    /// Whether an origin was not reached at the last look.
    func isOpen(_ origin: Int64) -> Bool { open.contains(origin) }

    /// The number of origins that were not reached at an instant, as far as known.
    func origins(at now: Timestamp) -> Int {
        open.count { $0 != OutageHistory.network && pauses.end(of: $0, at: now) != nil }
    }

    /// Notes the present outage of an origin, or of the network, for which `origin` is nil.
    mutating func note(_ outage: Outage?, of origin: Int64?, at now: Timestamp) {
        let key = origin ?? OutageHistory.network
        guard let outage else {
            guard open.remove(key) != nil else { return }
            return pauses.end(key, at: now)
        }
        guard open.contains(key) || open.count < OutageHistory.originsAtMost else { return }
        open.insert(key)
        pauses.note(key, until: outage.probeAt, at: now)
    }

    private func keys(
        of candidate: AdmissionCandidate
    ) -> [(key: Int64, code: BlockerCode)] {
        // Most histories are empty.
        guard !pauses.isEmpty else { return [] }
        var keys: [(key: Int64, code: BlockerCode)] = []
        if candidate.waitsForConnectivity { keys.append((OutageHistory.network, .connectivity)) }
        if candidate.sharesProbe, let origin = candidate.originKey {
            keys.append((origin, .originUnreachable))
        }
        return keys
    }

    /// The blockers of a candidate at an instant.
    func blockers(of candidate: AdmissionCandidate, at instant: Timestamp) -> [Blocker] {
        keys(of: candidate).compactMap { key, code in
            pauses.end(of: key, at: instant).map { end in
                Blocker(code, "", since: instant, until: end)
            }
        }
    }

    /// Whether an outage may have held a candidate back between two instants.
    func has(_ candidate: AdmissionCandidate, from start: Timestamp, to end: Timestamp) -> Bool {
        keys(of: candidate).contains { pauses.has($0.key, from: start, to: end) }
    }

    /// The next begin or end of an outage that concerns a candidate.
    func change(for candidate: AdmissionCandidate, after instant: Timestamp) -> Timestamp? {
        keys(of: candidate).compactMap { pauses.change(of: $0.key, after: instant) }
            .min()
    }
}
