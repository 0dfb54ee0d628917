// Stops runs at the closing of a rule that demands it.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Checks the runs every few seconds while the policy has a rule with `at_close: stop`.
struct ClosedRuleStop: Duty {
    let name = "closed rules"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let (policy, zone) = worker.facts.policy
        let isStopping = policy.allRules.contains { $0.atClose == .stop }
        // Conditions of networks are pushed, and a push calls this duty.
        guard isStopping || worker.runs.values.contains(where: \.isBarredFromNetworks) else {
            return .untilCalled
        }
        let situation = Situation(
            now: worker.clock.now, policy: policy, zone: zone,
            conditions: worker.facts.conditions, learned: worker.facts.learned)
        for run in worker.runs.values where !run.attempt.isEnding && run.attempt.canContinue {
            let verdict = PolicyVerdict(run.candidate(at: situation.now), in: situation)
            guard let rule = verdict.stoppingRule else { continue }
            worker.log.info(
                "running download stopped by a rule",
                [
                    ("download_id", .string(run.attempt.claim.download.id.text)),
                    ("rule", .string(rule)),
                ])
            run.attempt.stop(.release)
        }
        return .after(worker.settings.conditionInterval)
    }
}

extension DownloadWorker.Run {
    /// The least time of a measured speed; a shorter one measures the first round trips.
    private static let young = Duration.seconds(300)

    /// The candidate with its missing bytes, its deadlines and its speed so far.
    fileprivate func candidate(at now: Timestamp) -> AdmissionCandidate {
        let claim = attempt.claim
        var candidate = claim.candidate
        let (received, total) = attempt.progress
        candidate.received = received
        candidate.deadline.complete = claim.download.shared.value.completeBy
        if let total {
            candidate.need = max(0, total - received)
            candidate.isAnnounced = true
        }
        let time = now - claim.claimedAt
        let came = received - claim.download.bytesReceived
        if time >= Self.young, came > 0 {
            candidate.speed = Double(came) / (Double(time.wholeMicroseconds) / 1e6)
        }
        return candidate
    }

    /// Whether the download may not use every network.
    fileprivate var isBarredFromNetworks: Bool {
        !attempt.claim.download.spec.allowsExpensive
            || !attempt.claim.download.spec.allowsConstrained
    }
}
