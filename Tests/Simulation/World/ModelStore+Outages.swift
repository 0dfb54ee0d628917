// Origins that are not reached: what ends say of them, and which downloads are let through to try.
import Core

/// An origin that is not reached, as its gate has it.
struct ModelOutage {
    let since: Timestamp
    /// When one download is let through to try.
    var probeAt: Timestamp
    /// How many were.
    var probes = 0
}

extension ModelStore {
    /// What holds a row back, or what it would be claimed as.
    enum Passage { case closed, free, probe }

    /// Whether an origin lets one more through.
    ///
    /// - Parameters:
    ///   - origin: the origin.
    ///   - probes: how many may still try.
    ///   - now: the instant.
    /// - Returns: what holds it back, or as what it goes.
    func passage(_ origin: Int64, probes: Int, at now: Timestamp) -> Passage {
        guard let outage = outages[origin], mutant != .claimIgnoresOutages else { return .free }
        return outage.probeAt <= now && probes > 0 ? .probe : .closed
    }

    /// A download is let through to try.
    mutating func probe(_ origin: Int64, at now: Timestamp) {
        if mutant != .probeKeepsItsTime {
            outages[origin]?.probeAt = now + Outage.longestPause
        }
        if mutant != .pausesDoNotGrow { outages[origin]?.probes += 1 }
    }

    /// Takes what the end of an attempt tells of its origin.
    mutating func learn(_ reach: OriginReach?, of origin: Int64, at now: Timestamp) {
        switch reach {
        case .reached: open(origin)
        case .missed where outages[origin] == nil, .probeMissed where outages[origin] == nil:
            guard mutant != .missIsNotNoted else { return }
            outages[origin] = ModelOutage(
                since: now, probeAt: now + Outage.pause(afterProbes: 0))
        case .probeMissed:
            let probes = outages[origin]?.probes ?? 0
            outages[origin]?.probeAt = now + Outage.pause(afterProbes: probes)
        case .probeStopped where mutant != .stoppedProbeBlocks: outages[origin]?.probeAt = now
        case .missed, .probeStopped, nil: break
        }
    }

    /// An origin is reached.
    mutating func open(_ origin: Int64) {
        guard mutant != .reachIsNotNoted, outages.removeValue(forKey: origin) != nil else { return }
        for id in order where rows[id]?.key.origin == origin { rows[id]?.isProbe = false }
    }
}
