// Removes the history of conditions after its retention.
internal import Scheduling
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct ConditionHistoryExpiry: Duty {
    let name = "condition history"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let declared = worker.facts.conditions.declaredNames
        while worker.isWorking, try await worker.conditions.forget(keeping: declared) == 1000 {}
        return .after(worker.settings.ageInterval)
    }
}
