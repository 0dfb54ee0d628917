// A bandwidth of 0 blocks like a closed window, until it ends.
internal import Base
internal import Downloads

extension Admission {
    /// The timetables that apply to a download.
    static func timetables(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [(owner: String, timetable: Timetable)] {
        let bandwidth = situation.policy.bandwidth
        var tables: [(owner: String, timetable: Timetable?)] = [
            ("the deployment", bandwidth.deployment)
        ]
        if bandwidth.canStopSome {
            let own: SchedulingClass = candidate.isDiscretionary ? .discretionary : .normal
            tables += [
                ("the session \"\(candidate.session)\"", bandwidth.session(candidate.session)),
                ("its origin", candidate.originName.flatMap { bandwidth.origin($0) }),
                ("its app", candidate.app.isEmpty ? nil : bandwidth.app(candidate.app)),
                ("the class \(own.word)", bandwidth.timetable(of: own)),
                ("its app's policy", bandwidth.ofApps[KeyText(candidate.app)]?.deployment),
                (
                    "its session in its app's policy",
                    bandwidth.ofApps[KeyText(candidate.app)]?.session(candidate.session)
                ),
            ]
        }
        return tables.compactMap { owner, timetable in
            timetable.flatMap { $0.canStop ? (owner, $0) : nil }
        }
    }

    /// Functions that give, for an instant, the first later one at which something beside the rules
    /// lets the download begin: its timetables, its budgets, and the pause or outage of its origin.
    static func knownOpenings(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [(Timestamp) -> Timestamp?] {
        var openings = timetables(candidate, in: situation).map { table in
            { (instant: Timestamp) -> Timestamp? in
                let state = table.timetable.state(at: instant, in: situation.zone)
                return state.rate.isStopped ? state.until : instant
            }
        }
        openings += budgetOpenings(candidate, in: situation)
        if let pushback = candidate.origin.notBefore { openings.append { max($0, pushback) } }
        if let outage = candidate.outage { openings.append { max($0, outage.probeAt) } }
        return openings
    }

    /// The blockers of timetables whose rate is 0 at present.
    static func rateBlockers(_ candidate: AdmissionCandidate, in situation: Situation) -> [Blocker]
    {
        guard situation.policy.bandwidth.canStop else { return [] }
        let states = timetables(candidate, in: situation).map { owner, timetable in
            (owner, timetable.state(at: situation.now, in: situation.zone))
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
