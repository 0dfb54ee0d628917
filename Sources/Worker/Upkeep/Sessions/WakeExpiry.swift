// Removes wakes that have ended, after their retention.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct WakeExpiry: Duty {
    let name = "wakes that are over"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        while worker.isWorking,
            try await worker.downloads.wakes.forgetOld(
                age: worker.settings.deliveryRetention, limit: 1000,
                until: worker.clock.endsUntil) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
