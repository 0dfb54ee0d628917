// Reports once that a waiting download will probably miss its deadline.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Judges waiting downloads with a deadline by the verdict that explains them: a minute after the
/// last time, and when a deadline was set.
struct DeadlineWatch: Duty {
    let name = "deadlines at risk"
    let spacing = Duration.seconds(1)
    private static let pause = Duration.seconds(60)
    /// The time for which a download has to be on track before a further event.
    private static let calm = Duration.seconds(900)
    private static let calmAtMost = 1000

    /// The time since which downloads that were at risk are on track, as seen here.
    private var onTrackSince: [Identifier: Timestamp] = [:]
    /// For each leader at risk, the follower that was looked at last.
    private var lastJoined: [Identifier: Identifier] = [:]

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let risks = worker.downloads.deadlineRisks
        let lanes = try await risks.lanesWithDeadline()
        let isSome =
            !lanes.isEmpty || !onTrackSince.isEmpty
            || worker.runs.values.contains { $0.attempt.claim.download.spec.completeBy != nil }
        // Without deadlines nothing is at risk.
        guard isSome else { return .untilCalled }
        let situation = worker.situation
        let risky = lanes.filter { lane in
            DeadlineWatch.isAtRisk(lane.1, in: situation)
        }.map(\.0)
        if !risky.isEmpty {
            for due in try await risks.withDeadline(inLanes: risky) {
                guard DeadlineWatch.isAtRisk(due, in: situation) else { continue }
                try await DeadlineWatch.note(due, worker)
            }
        }
        for due in try await risks.lateRuns(of: worker.ledger.replica) {
            try await DeadlineWatch.note(due, worker)
        }
        try await forgetRisks(worker, situation)
        return try await noteJoined(worker) ? .after(spacing) : .after(DeadlineWatch.pause)
    }

    /// Notes that followers of a leader at risk are at risk with it, a batch in each turn.
    ///
    /// - Returns: whether there may be more.
    private mutating func noteJoined(
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Bool {
        let risks = worker.downloads.deadlineRisks
        let found = try await risks.joined(after: lastJoined)
        for due in found.list { try await DeadlineWatch.note(due, worker) }
        lastJoined = found.last
        return found.hasMore
    }

    private static func note(
        _ due: DeadlineRisks.Due, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        guard try await worker.downloads.deadlineRisks.noteAtRisk(due) else { return }
        worker.delivered()
        worker.log.info(
            "deadline at risk",
            [("download_id", .string(due.record.download.id.text))])
    }

    private mutating func forgetRisks(
        _ worker: isolated DownloadWorker, _ situation: Situation
    ) async throws(StoreError) {
        var since: [Identifier: Timestamp] = [:]
        for due in try await worker.downloads.deadlineRisks.atRisk(for: DeadlineWatch.calm) {
            let id = due.record.download.id
            // A running download is judged by its speed, and only once.
            guard due.record.download.state == .waiting, due.record.candidate?.joined == nil,
                !DeadlineWatch.isAtRisk(due, in: situation),
                since.count < DeadlineWatch.calmAtMost
            else { continue }
            let first = onTrackSince[id] ?? situation.now
            if situation.now - first >= DeadlineWatch.calm {
                try await worker.downloads.deadlineRisks.noteOnTrack(due)
            } else {
                since[id] = first
            }
        }
        onTrackSince = since
    }

    private static func isAtRisk(_ due: DeadlineRisks.Due, in situation: Situation) -> Bool {
        guard var candidate = due.record.candidate else { return false }
        // The overload that put it at risk must not keep it there.
        candidate.isOverloaded = due.isOverloaded
        if situation.policy.needsOriginNames {
            // An address that is no URL is reported by the attempt.
            candidate.originName = due.record.download.nextOrigin
        }
        return isAtRisk(candidate, in: situation)
    }

    private static func isAtRisk(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> Bool {
        let verdict = PolicyVerdict(candidate, in: situation)
        switch DeadlineReport(candidate, verdict, in: situation).status {
        case .atRisk, .late: return true
        case .none, .onTrack, .guarded: return false
        }
    }
}

extension DownloadWorker {
    /// All present facts, as the API has them.
    var situation: Situation {
        let (policy, zone) = facts.policy
        return Situation(
            now: clock.now, policy: policy, zone: zone, conditions: facts.conditions,
            learned: facts.learned)
    }
}
