// Unreachable origins in the model: the findings of attempts, and the downloads that probe them.
import Base
import Downloads
import Scheduling

/// An unreachable origin, as in its gate.
struct ModelOutage {
    let since: Timestamp
    /// The time at which one download may probe it.
    var probeAt: Timestamp
    /// The number of probes.
    var probes = 0
}

extension ModelStore {
    /// Whether an origin holds a row back, or as what it lets it be claimed.
    enum Passage { case closed, free, probe }

    /// Whether an origin lets another download begin.
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

    /// Notes that a download probes an origin.
    mutating func probe(_ origin: Int64, at now: Timestamp) {
        if mutant != .probeKeepsItsTime {
            outages[origin]?.probeAt = now + Outage.longestPause
        }
        if mutant != .pausesDoNotGrow { outages[origin]?.probes += 1 }
    }

    /// Notes the finding of an attempt about its origin.
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

    /// Notes that an origin is reached.
    mutating func open(_ origin: Int64) {
        guard mutant != .reachIsNotNoted, outages.removeValue(forKey: origin) != nil else { return }
        for id in order where rows[id]?.key.origin == origin { rows[id]?.isProbe = false }
    }
}
