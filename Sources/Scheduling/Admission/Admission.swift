// Whether a download may run now, and why not: one code decides and explains.
internal import Base
package import Downloads

/// The judgement over a waiting download.
package enum Admission {
    /// The blockers of the policy; empty if it lets the download begin.
    package static func policyBlockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        // Without rules no verdict is made, because it is a large value.
        guard !situation.policy.rules(for: candidate).isEmpty else {
            return rateBlockers(candidate, in: situation)
                + blockersBesideRules(candidate, in: situation)
        }
        return policyBlockers(
            candidate, PolicyVerdict(candidate, in: situation), in: situation)
    }

    private static func verdict(
        _ candidate: AdmissionCandidate, matching rules: [PolicyRule]? = nil,
        in situation: Situation
    ) -> PolicyVerdict? {
        situation.policy.rules(for: candidate).isEmpty
            ? nil : PolicyVerdict(candidate, in: situation, matching: rules)
    }

    private static func policyBlockers(
        _ candidate: AdmissionCandidate, _ verdict: PolicyVerdict, in situation: Situation
    ) -> [Blocker] {
        var blockers = verdict.blockers + rateBlockers(candidate, in: situation)
        // A download with other blockers does not begin now, so whether it would fit is not asked.
        // For a lane the claim asks for each of its downloads.
        if blockers.isEmpty, candidate.priority != nil || candidate.need > 0,
            let blocker = ClosingFit(candidate, verdict, in: situation)?.blocker
        {
            blockers.append(blocker)
        }
        return blockers + blockersBesideRules(candidate, in: situation)
    }

    private static func blockersBesideRules(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        var blockers = budgetBlockers(candidate, in: situation)
        if let blocker = networkBlocker(candidate, in: situation) { blockers.append(blocker) }
        return blockers
    }

    /// The bytes of a lane's downloads that fit before a known closing; nil for no bound.
    static func closingRoom(
        _ candidate: AdmissionCandidate, matching rules: [PolicyRule], in situation: Situation
    ) -> ClosingRoom? {
        guard ClosingFit.mayMatter(candidate, in: situation) else { return nil }
        let verdict = verdict(candidate, matching: rules, in: situation)
        return ClosingFit(candidate, verdict, in: situation)?.room
    }

    /// The judgement over a lane, with the instant until which it holds; `rules` are those that
    /// match, where they are known.
    static func judgement(
        _ candidate: AdmissionCandidate, matching rules: [PolicyRule]? = nil,
        in situation: Situation
    ) -> LaneJudgement {
        let verdict = verdict(candidate, matching: rules, in: situation)
        let blockers =
            verdict.map { policyBlockers(candidate, $0, in: situation) }
            ?? policyBlockers(candidate, in: situation)
        var instants = blockers.map(\.until) + [verdict?.nextChange]
        if situation.policy.bandwidth.canStop {
            instants += timetables(candidate, in: situation).map {
                $0.timetable.state(at: situation.now, in: situation.zone).until
            }
        }
        let isKept = situation.disk.map { $0.isFull && !fits(candidate, on: $0) } ?? false
        return LaneJudgement(
            isOpen: blockers.isEmpty && !isKept,
            until: instants.compactMap(\.self).filter { $0 > situation.now }.min())
    }

    /// All reasons that hold a waiting download back; never empty.
    package static func blockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        if candidate.laneFlags.contains(.stages) { return [awaitedBytes(of: candidate)] }
        // The blockers of the leader that it has joined are not its own.
        if let joined = candidate.joined {
            return [joined.blocker(since: max(candidate.waitingSince, candidate.createdAt))]
        }
        var blockers = hookBlockers(candidate) ?? timeBlockers(candidate, in: situation)
        blockers += policyBlockers(candidate, in: situation)
        blockers += gateBlockers(candidate, in: situation)
        if let disk = diskBlocker(candidate, in: situation) { blockers.append(disk) }
        if candidate.isHolderAway {
            blockers.append(
                Blocker(
                    .replicaAway,
                    "its file is in the data directory of a replica that does not run; it is sent "
                        + "when that replica is back",
                    since: candidate.waitingSince))
        }
        if situation.isDraining {
            blockers.append(
                Blocker(.draining, "the service is stopping", since: situation.now))
        }
        guard blockers.isEmpty else { return blockers }
        return [slotBlocker(candidate, in: situation)]
    }

    /// The blocker of an upload whose client still brings the bytes; all others come afterwards.
    private static func awaitedBytes(of candidate: AdmissionCandidate) -> Blocker {
        let length = candidate.members?.expectedBytes ?? 0
        return Blocker(
            .awaitingContent,
            "its client has brought \(candidate.received) of \(length) bytes: PUT or PATCH them to "
                + "content.href",
            since: max(candidate.createdAt, candidate.waitingSince))
    }

    /// The blocker of the content's volume; nil if it has room.
    package static func diskBlocker(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Blocker? {
        guard let disk = situation.disk, !fits(candidate, on: disk) else { return nil }
        return Blocker(
            .diskReserve,
            situation.hidesOthers
                ? disk.sentenceWithoutFigures(need: candidate.need)
                : disk.sentence(need: candidate.need),
            since: max(candidate.createdAt, candidate.waitingSince))
    }

    /// Whether the volume has room; a file that is sent is there already, and leaves it.
    private static func fits(_ candidate: AdmissionCandidate, on disk: DiskReading) -> Bool {
        candidate.laneFlags.contains(.sends) ? disk.trouble == nil : disk.admits(candidate.need)
    }

    private static func timeBlockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        guard candidate.runAt > situation.now else { return [] }
        if let until = candidate.wakeUntil, until >= candidate.runAt {
            return [
                Blocker(
                    .wakeDelay,
                    "it was created after a wake of its session, so it does not begin before "
                        + "\(until.rfc3339); the delay doubles with each wake, so create all "
                        + "downloads of a wake in one batch",
                    since: candidate.createdAt, until: until)
            ]
        }
        if candidate.attempt == 0 {
            return [
                Blocker(
                    .earliestBeginDate, "it does not begin before " + candidate.runAt.rfc3339,
                    since: candidate.createdAt, until: candidate.runAt)
            ]
        }
        if candidate.lastFailure == DownloadFailure.noRoom.code {
            // While the disk's own blocker applies, it is more precise.
            guard diskBlocker(candidate, in: situation) == nil else { return [] }
            return [
                Blocker(
                    .diskReserve,
                    "the disk was full; the next attempt begins at \(candidate.runAt.rfc3339)",
                    since: candidate.waitingSince, until: candidate.runAt)
            ]
        }
        let why = candidate.lastFailure.map { " (\($0.rawValue))" } ?? ""
        return [
            Blocker(
                .retryBackoff,
                "attempt \(candidate.attempt) failed\(why); the next begins at "
                    + candidate.runAt.rfc3339,
                since: candidate.waitingSince, until: candidate.runAt)
        ]
    }
}
