// Removes events after the retention of the history.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct JournalAge: Duty {
    private static let batch = 1000

    let name = "journal"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        guard let age = worker.settings.historyRetention else { return .untilCalled }
        let journal = worker.history.journal
        var last: Int64 = -1
        while worker.isWorking {
            let apps = try await journal.agedApps(
                olderThan: age, after: last, limit: JournalAge.batch,
                until: worker.clock.endsUntil)
            for app in apps {
                var place: JournalPosition?
                repeat {
                    place = try await journal.forget(
                        app: app, olderThan: age, after: place, limit: JournalAge.batch,
                        until: worker.clock.endsUntil
                    ).place
                } while place != nil && worker.isWorking
            }
            guard apps.count == JournalAge.batch, let end = apps.last else { break }
            last = end
        }
        return .after(worker.settings.ageInterval)
    }
}
