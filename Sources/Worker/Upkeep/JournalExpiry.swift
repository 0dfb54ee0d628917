// Removes events after the retention of the history.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct JournalExpiry: Duty {
    private static let batch = 1000

    let name = "journal"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        guard let age = worker.settings.historyRetention else { return .untilCalled }
        let journal = worker.history.journal
        var last: Int64 = -1
        while worker.isWorking {
            let apps = try await journal.agedApps(
                olderThan: age, after: last, limit: JournalExpiry.batch,
                until: worker.clock.endsUntil)
            for app in apps {
                var place: JournalPosition?
                repeat {
                    place = try await journal.forget(
                        app: app, olderThan: age, after: place, limit: JournalExpiry.batch,
                        until: worker.clock.endsUntil
                    ).place
                } while place != nil && worker.isWorking
            }
            guard apps.count == JournalExpiry.batch, let end = apps.last else { break }
            last = end
        }
        return .after(worker.settings.ageInterval)
    }
}
