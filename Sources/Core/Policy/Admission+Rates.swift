// A rate of 0 blocks like a closed window, with its end.

extension Admission {
    /// The timetables that let nothing through at the moment.
    static func rateBlockers(_ candidate: AdmissionCandidate, in situation: Situation) -> [Blocker]
    {
        let bandwidth = situation.policy.bandwidth
        guard bandwidth.canStop else { return [] }
        var states: [(of: String, RateState)] = []
        if let state = situation.deploymentRate { states.append(("the deployment", state)) }
        if bandwidth.canStopSome {
            let tables: [(of: String, Timetable?)] = [
                ("the session \"\(candidate.session)\"", bandwidth.session(candidate.session)),
                ("its origin", candidate.originName.flatMap { bandwidth.origin($0) }),
            ]
            for (owner, timetable) in tables {
                guard let timetable, timetable.canStop else { continue }
                states.append(
                    (owner, timetable.state(at: situation.now, in: situation.zone)))
            }
        }
        return states.filter { $0.1.rate.isStopped }.map { owner, state in
            let end = state.until.map { "until \($0.rfc3339)" } ?? "until the policy changes"
            return Blocker(
                .bandwidthZero, "the bandwidth of \(owner) is 0 \(end)",
                since: max(candidate.createdAt, state.since ?? candidate.createdAt),
                until: state.until)
        }
    }
}
