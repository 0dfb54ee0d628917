// Removes expired rests of webhook receivers.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct RestingReceiverExpiry: Duty {
    let name = "resting receivers"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        while worker.isWorking,
            try await worker.downloads.restingReceivers.forgetOld(limit: 1000) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
