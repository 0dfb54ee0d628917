// Blockers of a download by the limits of origins, sessions, apps and the deployment.
internal import Base
internal import Downloads

extension Admission {
    /// The blockers of the gates that are full or closed for a waiting download.
    static func gateBlockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        var blockers: [Blocker] = []
        let limits = situation.policy.limits
        let since = max(candidate.waitingSince, candidate.createdAt)
        if let until = candidate.origin.notBefore, until > situation.now {
            blockers.append(
                Blocker(
                    .originPushback,
                    "its \(candidate.server) asked to send it no requests before "
                        + until.rfc3339,
                    since: candidate.waitingSince, until: until))
        }
        if let blocker = originBlocker(candidate, in: situation) { blockers.append(blocker) }
        func check(_ code: BlockerCode, _ gate: GateReading, _ limit: Int?, _ whose: String) {
            guard let limit, gate.running >= limit else { return }
            // A suspended session has a limit of 0.
            let isSuspended = code == .sessionLimit && gate.limit == 0
            blockers.append(
                isSuspended
                    ? Blocker(
                        .sessionSuspended, "its session is suspended until it is resumed",
                        since: max(since, gate.suspendedSince ?? since))
                    : Blocker(
                        code,
                        code == .originLimit && situation.hidesOthers
                            ? "all places for downloads \(whose) are taken: \(limit)"
                            : "\(gate.running) of \(limit) downloads \(whose) are running",
                        since: since))
        }
        let (origin, session, app) = (candidate.origin, candidate.sessionGate, candidate.appGate)
        check(
            .originLimit, origin,
            origin.limit ?? limits.origin(candidate.originName, app: candidate.app),
            candidate.laneFlags.contains(.sends) ? "to its receiver" : "from its origin")
        check(
            .sessionLimit, session,
            PolicyLimits.least(
                session.limit, limits.session(candidate.session, app: candidate.app)),
            "of its session")
        check(
            .appLimit, app, PolicyLimits.least(app.limit, limits.app(candidate.app)), "of its app")
        if let connections = candidate.connections, let limit = connections.limit,
            connections.running >= limit
        {
            blockers.append(
                Blocker(
                    .connectionLimit,
                    "\(connections.running) of \(limit) connections of its session to its "
                        + "\(candidate.server) are in use",
                    since: since))
        }
        return blockers
    }

    /// The blocker of a download that may begin and waits for a slot.
    static func slotBlocker(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Blocker {
        var sentence = "it is due and begins when a slot is free"
        if !situation.hidesOthers, let running = candidate.running,
            let limit = situation.policy.limits.running,
            running >= limit
        {
            sentence += "; \(running) of \(limit) downloads are running"
        }
        if let before = candidate.before, before > 0 {
            let count = min(before, AdmissionCandidate.beforeAtMost)
            sentence += "; downloads of its origin and session before it: "
            sentence += before > count ? "more than \(count)" : "\(count)"
        }
        return Blocker(.slots, sentence, since: max(candidate.waitingSince, candidate.runAt))
    }
}
