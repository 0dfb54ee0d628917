// May it run now, and if not, why: one code decides and explains.

/// The judgement over a waiting download.
package enum Admission {
    /// What the policy's rules have against it; empty means nothing.
    package static func policyBlockers(
        _ applicant: Applicant, in situation: Situation
    ) -> [Blocker] {
        var blockers: [Blocker] = []
        for rule in situation.policy.rules
        where rule.matches(isDiscretionary: applicant.isDiscretionary, session: applicant.session) {
            for name in rule.windows {
                guard case .closed(let since, let until) = situation.windows[name] else {
                    continue
                }
                let kind = applicant.isDiscretionary ? "discretionary downloads" : "downloads"
                let opening = until.map { "opens at \($0.rfc3339)" } ?? "never opens"
                blockers.append(
                    Blocker(
                        .window,
                        "\(kind) wait for the window \"\(name)\", which \(opening)",
                        since: max(applicant.createdAt, since ?? applicant.createdAt),
                        until: until, rule: rule.name))
            }
        }
        return blockers + rateBlockers(applicant, in: situation)
    }

    /// Everything that holds a waiting download back; never empty.
    package static func blockers(_ applicant: Applicant, in situation: Situation) -> [Blocker] {
        var blockers = timeBlockers(applicant, in: situation)
        blockers += policyBlockers(applicant, in: situation)
        blockers += gateBlockers(applicant, in: situation)
        if let disk = diskBlocker(applicant, in: situation) { blockers.append(disk) }
        if situation.isDraining {
            blockers.append(
                Blocker(.draining, "the service is about to stop", since: situation.now))
        }
        guard blockers.isEmpty else { return blockers }
        return [
            Blocker(
                .slots,
                "it is due and takes the next free one of \(situation.policy.limits.running)"
                    + " slots",
                since: max(applicant.waitingSince, applicant.runAt))
        ]
    }

    /// What the volume of the content has against it.
    package static func diskBlocker(
        _ applicant: Applicant, in situation: Situation
    ) -> Blocker? {
        guard let disk = situation.disk, !disk.admits(applicant.need) else { return nil }
        return Blocker(
            .diskReserve, disk.sentence(need: applicant.need),
            since: max(applicant.createdAt, applicant.waitingSince))
    }

    private static func timeBlockers(
        _ applicant: Applicant, in situation: Situation
    ) -> [Blocker] {
        guard applicant.runAt > situation.now else { return [] }
        if applicant.attempt == 0 {
            return [
                Blocker(
                    .earliestBeginDate, "it does not begin before \(applicant.runAt.rfc3339)",
                    since: applicant.createdAt, until: applicant.runAt)
            ]
        }
        if applicant.ranOutOfRoom {
            // The disk's own blocker says more, as long as it holds.
            guard diskBlocker(applicant, in: situation) == nil else { return [] }
            return [
                Blocker(
                    .diskReserve,
                    "the disk was full; the next attempt begins at \(applicant.runAt.rfc3339)",
                    since: applicant.waitingSince, until: applicant.runAt)
            ]
        }
        return [
            Blocker(
                .retryBackoff,
                "attempt \(applicant.attempt) failed; the next begins at "
                    + applicant.runAt.rfc3339,
                since: applicant.waitingSince, until: applicant.runAt)
        ]
    }

    private static func gateBlockers(
        _ applicant: Applicant, in situation: Situation
    ) -> [Blocker] {
        var blockers: [Blocker] = []
        let limits = situation.policy.limits
        if let until = applicant.origin.notBefore, until > situation.now {
            blockers.append(
                Blocker(
                    .originPushback, "its origin asked for no requests before \(until.rfc3339)",
                    since: applicant.waitingSince, until: until))
        }
        let originLimit = applicant.origin.limit ?? limits.perOrigin
        if applicant.origin.running >= originLimit {
            blockers.append(
                Blocker(
                    .originLimit,
                    "\(applicant.origin.running) of \(originLimit) downloads from its origin run",
                    since: max(applicant.waitingSince, applicant.createdAt)))
        }
        let sessionLimit = applicant.sessionGate.limit ?? limits.perSession
        if applicant.sessionGate.running >= sessionLimit {
            blockers.append(
                Blocker(
                    .sessionLimit,
                    "\(applicant.sessionGate.running) of \(sessionLimit) downloads of its session"
                        + " run",
                    since: max(applicant.waitingSince, applicant.createdAt)))
        }
        return blockers
    }
}
