// Removes lanes that have been empty for a time, and checks the others.
internal import Base
internal import Platform
internal import Scheduling
internal import Store

/// Walks all lanes every few minutes, a batch at a time.
struct EmptyLaneExpiry: Duty {
    let name = "lanes"
    let endsByTheClock = true
    private static let batch = 1000
    /// The time for which an empty lane is kept, because it may be used again.
    private static let idle = Duration.seconds(600)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        var last: Int64? = 0
        while worker.isWorking, let after = last {
            let seen = try await worker.downloads.queue.forgetLanes(
                after: after, limit: EmptyLaneExpiry.batch,
                before: worker.clock.now - EmptyLaneExpiry.idle)
            last = seen.last
            if seen.wrong > 0 {
                worker.log.error(
                    "due times of lanes were wrong and have been "
                        + "corrected", [("count", .integer(seen.wrong))])
                worker.handle(.hinted)
            }
        }
        return .after(worker.settings.ageInterval)
    }
}
