// The findings of a replica about origins and the network, and the number of downloads that may
// probe at once.
internal import Base
internal import Downloads

extension Conductor {
    /// Takes what an attempt found about its origin.
    mutating func learn(_ result: ReachResult, of origin: Int64, at now: Timestamp) {
        switch result {
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

    /// Notes the outages that a claim shows: other downloads wait for the result of a probe, and an
    /// origin whose download was claimed without a probe is reached.
    mutating func learnProbes(_ claims: [ClaimedRun], of order: ClaimOrder, at now: Timestamp) {
        if claims.contains(where: \.waitsForConnectivity) { network.probe(at: now) }
        let probed = Set(claims.filter(\.isProbe).map(\.flow.origin))
        let given = Set(claims.map(\.lane))
        // An outage that was not known to this replica: others wait as well.
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

    /// The part of the slots, one in eight and one at least, that downloads which probe unreachable
    /// origins may hold: they must not take the slots of origins that are reached.
    private static let probePart = 8

    /// The number of further downloads that may probe.
    var probeRoom: Int { max(0, max(1, capacity / Conductor.probePart) - probing.count) }

    /// The outage of a lane's origin, as far as this replica knows it; nil where it does not hold
    /// the lane back.
    func outage(of head: LaneHead) -> Outage? {
        head.laneFlags.contains(oneOf: .apart)
            ? nil : book.gate(.origin(head.originKey)).outage
    }
}
