// Stops runs of which a rule says so when it closes.
internal import Core
internal import Platform
internal import Store

/// Looks at the runs every few seconds while the policy has a rule with `at_close: stop`.
struct ClosedRules: Duty {
    let name = "closed rules"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        let (policy, zone) = worker.facts.policy
        let isStopping = policy.allRules.contains { $0.atClose == .stop }
        // Conditions of networks are pushed, which calls this.
        guard isStopping || worker.runs.values.contains(where: \.isBarredFromNetworks) else {
            return .untilCalled
        }
        let situation = Situation(
            now: worker.clock.now, policy: policy, zone: zone,
            conditions: worker.facts.conditions, learned: worker.facts.learned)
        for run in worker.runs.values where !run.attempt.isEnding && run.attempt.canContinue {
            let verdict = PolicyVerdict(run.attempt.claim.candidate, in: situation)
            guard let rule = verdict.stoppingRule else { continue }
            worker.log.info(
                "run stopped by a rule",
                [
                    ("download_id", .string(run.attempt.claim.download.id.text(.download))),
                    ("rule", .string(rule)),
                ])
            run.attempt.stop(.release)
        }
        return .after(worker.settings.conditionInterval)
    }
}

extension DownloadWorker.Run {
    /// Whether its download may not use every network.
    fileprivate var isBarredFromNetworks: Bool {
        !attempt.claim.download.spec.allowsExpensive
            || !attempt.claim.download.spec.allowsConstrained
    }
}
