// Removes counters of budgets whose periods have ended.
internal import Store

/// Runs every few minutes.
struct BudgetCounterExpiry: Duty {
    let name = "budget counters"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let budgets = Budgets(worker.ledger)
        while worker.isWorking, try await budgets.forget(batch: 1000) == 1000 {}
        return .after(worker.settings.ageInterval)
    }
}
