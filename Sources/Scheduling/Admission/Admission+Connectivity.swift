// Holding back a download that waits for connectivity while the network or its origin is lost.
internal import Base
internal import Downloads

extension Admission {
    /// The blocker while the whole network is not reached and it is not yet time to probe.
    static func networkBlocker(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Blocker? {
        guard let outage = situation.network, outage.probeAt > situation.now,
            candidate.waitsForConnectivity
        else { return nil }
        return Blocker(
            .connectivity,
            "the network has not been reached since \(outage.since.rfc3339); one download tries "
                + "again at \(outage.probeAt.rfc3339), and waiting costs no attempt",
            since: max(candidate.waitingSince, outage.since), until: outage.probeAt)
    }

    /// The blocker while the origin is not reached.
    static func originBlocker(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Blocker? {
        guard let outage = candidate.outage else { return nil }
        let next = outage.probeAt > situation.now ? outage.probeAt : nil
        let trial =
            next.map { "one of its downloads tries again at \($0.rfc3339)" }
            ?? "one of its downloads tries again now"
        return Blocker(
            .originUnreachable,
            "its \(candidate.server) has not been reached since \(outage.since.rfc3339); \(trial), "
                + "and waiting costs no attempt",
            since: max(candidate.waitingSince, outage.since), until: next)
    }
}
