// Removes events after the retention of the history.
internal import Store

/// Runs every few minutes; the removed rows are kept for days.
struct JournalExpiry: IndependentDuty {
    private static let batch = 1000

    let name = "journal"
    let endsByTheClock = true
    /// The events of all apps.
    let journal: Journal
    /// The time for which they are kept; nil for ever.
    let retention: Duration?
    let interval: Duration

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        guard let age = retention else { return .untilCalled }
        var last: Int64 = -1
        while context.isWorking {
            let apps = try await journal.agedApps(
                olderThan: age, after: last, limit: JournalExpiry.batch,
                until: context.clock.endsUntil)
            for app in apps {
                var place: JournalPosition?
                repeat {
                    place = try await journal.forget(
                        app: app, olderThan: age, after: place, limit: JournalExpiry.batch,
                        until: context.clock.endsUntil
                    ).place
                } while place != nil && context.isWorking
            }
            guard apps.count == JournalExpiry.batch, let end = apps.last else { break }
            last = end
        }
        return .after(interval)
    }
}
