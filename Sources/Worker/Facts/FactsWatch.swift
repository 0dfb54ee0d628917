// Notices conditions and policies that clients changed at other replicas.
internal import Scheduling
internal import Store

/// Asks once a second for a new version of the facts while there are other replicas; without them
/// only when it is called.
struct FactsWatch: Duty {
    let name = "facts"
    private var version: Int64?

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let nextTurn: NextTurn =
            worker.peers.count > 0 ? .after(worker.settings.pollInterval) : .untilCalled
        let (own, others) = try await worker.conditions.readings(besides: worker.ledger.replica)
        worker.facts.take(own: own, others: others)
        let found = try await worker.conditions.version()
        guard found != version else { return nextTurn }
        let (read, records) = try await worker.conditions.all()
        // Read after the conditions, so that no policy of that version is missed.
        if let (policy, zone) = await worker.policyOfVersion(.max) {
            worker.takePolicy(policy, zone)
        }
        version = read
        let pushed = records.map { (name: $0.name, push: $0.push) }
        if worker.facts.take(pushed: pushed, of: read, at: worker.clock.now) {
            worker.takeConditions()
        }
        return nextTurn
    }
}

extension DownloadWorker {
    /// Passes the conditions to the conductor.
    func takeConditions() {
        bells[ClosedRuleStop.self].ring()
        bells[CalendarWatch.self].ring()
        handle(.conditionsChanged(facts.conditions))
    }
}
