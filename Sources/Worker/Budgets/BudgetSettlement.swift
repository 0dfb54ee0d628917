// Counts the bytes of runs against budgets, and stops runs whose hard budget is spent.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Settles while the policy has budgets and there are runs.
struct BudgetSettlement: Duty {
    let name = "budgets"

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let hasBudgets = worker.conductor.policy.hasBudgets
        guard !worker.runs.isEmpty,
            hasBudgets || worker.runs.values.contains(where: { $0.counted != nil })
        else { return .untilCalled }
        try await worker.settleBudgets()
        return .after(worker.settings.reportInterval)
    }
}

/// The part of a run that is settled.
struct CountedRun: Equatable {
    var received: Int64 = 0
    var sent: Int64 = 0
    /// The counters of the run, with their periods.
    var counters: [BudgetKey: Range<Timestamp>] = [:]
}

extension DownloadWorker {
    fileprivate func settleBudgets() async throws(StoreError) {
        let runs = budgetedRuns()
        guard !runs.isEmpty else { return }
        let (refused, readings) = try await Budgets(ledger).settle(runs, replica: ledger.replica)
        for run in runs {
            guard self.runs[run.id]?.attempt.claim.fence == run.fence else { continue }
            self.runs[run.id]?.counted = run.demands.isEmpty ? nil : CountedRun(run)
        }
        takeBudgets(readings)
        for run in runs where refused.contains(run.id) {
            guard let mine = self.runs[run.id], mine.attempt.claim.fence == run.fence,
                !mine.attempt.isEnding
            else { continue }
            log.info(
                "running download stopped by a budget",
                [
                    ("download_id", .string(run.id.text)),
                    (
                        "budgets",
                        .string(run.demands.map(\.budget.name).joined(separator: ","))
                    ),
                ])
            mine.attempt.stop(.release)
        }
    }

    /// The runs that have something to settle.
    private func budgetedRuns() -> [BudgetedRun] {
        let situation = Situation(
            now: clock.now, policy: conductor.policy, zone: conductor.zone,
            conditions: conductor.conditions, budgets: conductor.budgets)
        return runs.values.compactMap { run in
            let attempt = run.attempt
            guard !attempt.isEnding else { return nil }
            let arrived = attempt.arrived
            let budgeted = BudgetedRun(
                id: attempt.claim.download.id, fence: attempt.claim.fence,
                received: arrived.received, sent: arrived.sent, whole: attempt.expectedBytes,
                toSend: attempt.claim.candidate.sends,
                demands: Admission.budgetDemands(attempt.claim.candidate, in: situation))
            // A run that no budget counts has no reservation, unless one counted it before.
            if budgeted.demands.isEmpty { return run.counted == nil ? nil : budgeted }
            return run.counted == CountedRun(budgeted) ? nil : budgeted
        }
    }

    /// Passes readings to the conductor and to the facts of the API.
    func takeBudgets(_ readings: Budgets.Readings) {
        guard !readings.isEmpty else { return }
        facts.take(budgets: readings)
        handle(.budgetsRead(readings))
    }

    /// Reads the counters of a page's lanes before the page is passed on.
    func learnBudgets(of page: LanePage) async throws(StoreError) {
        let keys = conductor.budgetKeys(of: page, at: clock.now)
        guard !keys.isEmpty else { return }
        takeBudgets(try await Budgets(ledger).readings(of: keys))
    }
}

extension CountedRun {
    fileprivate init(_ run: BudgetedRun) {
        received = run.received
        sent = run.sent
        for demand in run.demands { counters[demand.key] = demand.period }
    }
}
