// Removes idempotency keys that are older than they are kept.
internal import Store

/// Looks every few minutes: what it removes ages by the day.
struct IdempotencyKeyAge: Duty {
    let name = "idempotency keys"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        while worker.isWorking,
            try await worker.downloads.idempotencyKeys.forgetOld(
                limit: 1000, until: worker.clock.endsUntil) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
