// What the limits of origins, sessions, apps and the deployment have against a download.

extension Admission {
    /// The gates through which a waiting download does not come.
    static func gateBlockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        var blockers: [Blocker] = []
        let limits = situation.policy.limits
        let since = max(candidate.waitingSince, candidate.createdAt)
        if let until = candidate.origin.notBefore, until > situation.now {
            blockers.append(
                Blocker(
                    .originPushback, "its origin asked for no requests before \(until.rfc3339)",
                    since: candidate.waitingSince, until: until))
        }
        if let blocker = originBlocker(candidate, in: situation) { blockers.append(blocker) }
        let gates: [(code: BlockerCode, GateReading, limit: Int?, whose: String)] = [
            (
                .originLimit, candidate.origin,
                candidate.origin.limit ?? limits.origin(candidate.originName, app: candidate.app),
                "from its origin"
            ),
            (
                .sessionLimit, candidate.sessionGate,
                least(
                    candidate.sessionGate.limit,
                    limits.session(candidate.session, app: candidate.app)),
                "of its session"
            ),
            (
                .appLimit, candidate.appGate,
                least(candidate.appGate.limit, limits.app(candidate.app)), "of its app"
            ),
        ]
        for (code, gate, limit, whose) in gates {
            guard let limit, gate.running >= limit else { continue }
            // A session's own limit of 0 stands for a session that is suspended.
            if code == .sessionLimit, gate.limit == 0 {
                blockers.append(
                    Blocker(
                        .sessionSuspended, "its session is suspended until it is resumed",
                        since: since))
                continue
            }
            blockers.append(
                Blocker(code, "\(gate.running) of \(limit) downloads \(whose) run", since: since))
        }
        if let connections = candidate.connections, let limit = connections.limit,
            connections.running >= limit
        {
            blockers.append(
                Blocker(
                    .connectionLimit,
                    "\(connections.running) of \(limit) connections of its session to its origin "
                        + "are used",
                    since: since))
        }
        return blockers
    }

    /// It may begin and has no slot yet.
    static func slotBlocker(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Blocker {
        var sentence = "it is due and begins when a slot is free"
        if let running = candidate.running, let limit = situation.policy.limits.running,
            running >= limit
        {
            sentence += "; \(running) of \(limit) downloads run"
        }
        if let before = candidate.before, before > 0 {
            let count = min(before, AdmissionCandidate.beforeAtMost)
            sentence += before > count ? "; more than \(count)" : "; \(count)"
            sentence += " of its origin and session are before it"
        }
        return Blocker(.slots, sentence, since: max(candidate.waitingSince, candidate.runAt))
    }

    /// The lower of two limits, nil for none.
    package static func least(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
