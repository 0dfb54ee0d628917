// Removes the rests of webhook receivers that are over.
internal import Store

/// Looks every few minutes: what it removes ages by the day.
struct ReceiverRestAge: Duty {
    let name = "resting receivers"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        while worker.isWorking,
            try await worker.downloads.restingReceivers.forgetOld(limit: 1000) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
