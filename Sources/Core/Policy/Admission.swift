// May it run now, and if not, why: one code decides and explains.

/// What admission looks at in a waiting download, or in the head of a lane.
package struct Applicant: Equatable, Sendable {
    /// Whether it waits for the policy's moment.
    package var isDiscretionary: Bool
    /// Its session's identifier.
    package var session: String
    /// When it was accepted.
    package var createdAt: Timestamp
    /// Since when it waits.
    package var waitingSince: Timestamp
    /// Not before this instant.
    package var runAt: Timestamp
    /// How many attempts it has had.
    package var attempt: Int
    /// How its origin is used.
    package var origin: GateReading
    /// How its session is used.
    package var sessionGate: GateReading
    /// Bytes that it still expects; 0 if nobody knows.
    package var need: Int64
    /// Whether its last attempt ended because the disk was full.
    package var ranOutOfRoom: Bool

    /// Names all of it.
    package init(
        isDiscretionary: Bool, session: String, createdAt: Timestamp, waitingSince: Timestamp,
        runAt: Timestamp, attempt: Int, origin: GateReading, sessionGate: GateReading,
        need: Int64 = 0, ranOutOfRoom: Bool = false
    ) {
        self.isDiscretionary = isDiscretionary
        self.session = session
        self.createdAt = createdAt
        self.waitingSince = waitingSince
        self.runAt = runAt
        self.attempt = attempt
        self.origin = origin
        self.sessionGate = sessionGate
        self.need = need
        self.ranOutOfRoom = ranOutOfRoom
    }
}

/// One limited thing as the store counts it.
package struct GateReading: Equatable, Sendable {
    /// How many run through it.
    package var running: Int
    /// Its own limit; nil takes the policy's.
    package var limit: Int?
    /// Nothing before this instant.
    package var notBefore: Timestamp?

    /// Names all of it.
    package init(running: Int = 0, limit: Int? = nil, notBefore: Timestamp? = nil) {
        self.running = running
        self.limit = limit
        self.notBefore = notBefore
    }
}

/// What is true for everybody at one instant.
package struct Situation: Equatable, Sendable {
    /// The instant.
    package let now: Timestamp
    /// The policy in force.
    package let policy: Policy
    /// The rules of the policy's time zone.
    package let zone: TimeZoneRules
    /// Whether the service is about to stop.
    package let isDraining: Bool
    /// The volume of the content; nil if nobody looked yet, which holds nothing back.
    package let disk: DiskReading?
    /// The windows that rules name, looked at once for all who are judged.
    let windows: [String: WindowState]

    /// Names all of it.
    package init(
        now: Timestamp, policy: Policy, zone: TimeZoneRules, isDraining: Bool = false,
        disk: DiskReading? = nil
    ) {
        self.now = now
        self.policy = policy
        self.zone = zone
        self.isDraining = isDraining
        self.disk = disk
        var windows: [String: WindowState] = [:]
        for name in policy.rules.flatMap(\.windows) where windows[name] == nil {
            windows[name] = policy.window(name)?.state(at: now, in: zone)
        }
        self.windows = windows
    }
}

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
        return blockers
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
