// What a replica learns of origins and of the network, and when it lets a download through to try.

extension Conductor {
    /// Learns what an attempt found.
    mutating func learn(_ news: ReachNews, of origin: Int64, at now: Timestamp) {
        switch news {
        case .missed(let hasRoute):
            network.miss(origin, hasRoute: hasRoute, at: now)
        case .reached:
            book.note(nil, of: origin)
            probing = probing.filter { $0.value != origin }
            network.reach()
            hint(at: now)
        case .probeStopped:
            network.release(at: now)
            if let outage = book.gate(.origin(origin)).outage {
                book.note(Outage(since: outage.since, probeAt: now), of: origin)
            }
            hint(at: now)
        }
    }

    /// Notes what a claim shows of outages: others wait for what a probe finds, and an origin that
    /// needed none is reached.
    mutating func learnProbes(_ claims: [ClaimedRun], of order: ClaimOrder, at now: Timestamp) {
        if claims.contains(where: \.waitsForConnectivity) { network.probe(at: now) }
        let probed = Set(claims.filter(\.isProbe).map(\.flow.origin))
        let given = Set(claims.map(\.lane))
        // An outage that was not known here: others wait as well.
        for origin in probed where book.gate(.origin(origin)).outage == nil {
            book.note(Outage(since: now, probeAt: now + Outage.longestPause), of: origin)
        }
        for head in order.quotas.map(\.head) {
            guard let outage = outage(of: head) else { continue }
            if probed.contains(head.originKey) {
                let next = Outage(since: outage.since, probeAt: now + Outage.longestPause)
                book.note(next, of: head.originKey)
            } else if given.contains(head.lane) {
                book.note(nil, of: head.originKey)
            } else {
                // Another replica's download tries, as far as is known; a look brings more.
                let next = Outage(since: outage.since, probeAt: now + Outage.firstPause)
                book.note(next, of: head.originKey)
            }
        }
    }

    /// So many of the slots may be held by downloads that try whether their origins are reached,
    /// and one at least: origins that are not reached must not take the slots of those that are.
    private static let probePart = 8

    /// How many more may try.
    var probeRoom: Int { max(0, max(1, capacity / Conductor.probePart) - probing.count) }

    /// The outage of a lane's origin, as far as is known here; nil where it does not hold it back.
    func outage(of head: LaneHead) -> Outage? {
        head.network & LaneKey.apart == 0 ? book.gate(.origin(head.originKey)).outage : nil
    }
}
