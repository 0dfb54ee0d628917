// Removes events that are older than the journal keeps them.
internal import Store

/// Looks every few minutes: what it removes ages by the day.
struct JournalAge: Duty {
    let name = "journal"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        while worker.isWorking,
            try await worker.downloads.journal.forget(limit: 1000) == 1000
        {}
        return .after(worker.settings.ageInterval)
    }
}
