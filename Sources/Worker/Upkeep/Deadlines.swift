// Ends waiting downloads whose deadline has passed; a running one ends by itself.
internal import Core
internal import Store

/// Acts at the first deadline.
struct Deadlines: Duty {
    let name = "deadlines"
    let endsByTheClock = true
    let spacing = Duration.milliseconds(100)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        var count = 0
        repeat {
            count = try await worker.downloads.expire(
                limit: 100, until: worker.clock.endsUntil)
            if count > 0 {
                worker.delivered()
                worker.sessionsChanged()
                worker.flightsChanged()
            }
        } while count == 100 && worker.isWorking
        return try await worker.downloads.nextDeadline().map { .until($0) } ?? .untilCalled
    }
}
