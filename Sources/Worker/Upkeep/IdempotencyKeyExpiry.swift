// Removes idempotency keys after their retention.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct IdempotencyKeyExpiry: Duty {
    let name = "idempotency keys"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        while worker.isWorking,
            try await worker.downloads.idempotencyKeys.forgetOld(
                limit: 1000, until: worker.clock.endsUntil) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
