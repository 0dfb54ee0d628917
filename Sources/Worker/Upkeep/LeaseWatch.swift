// Stops everything when the lease ends by the clock, because a heartbeat may get no answer at all.
internal import Platform
internal import Scheduling
internal import Store

/// Watches the clock of the lease while there are runs or a claim.
struct LeaseWatch: Duty {
    let name = "lease watch"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        // A claim checks the clock itself.
        guard worker.isClaiming || !worker.runs.isEmpty else { return .untilCalled }
        let left = worker.lease.left
        if left <= .zero, !worker.lease.isOver {
            worker.lease.isOver = true
            // The rows are put in order when the store answers again.
            worker.isClaimUncertain = true
            worker.log.error(
                "lease not renewed in time, so all downloads of this replica stop",
                [("running", .integer(Int64(worker.runs.count)))])
            worker.handle(.leaseLost)
        }
        // Sleeps for parts of the margin, because the timer does not count time in which the
        // machine slept.
        let part = worker.settings.margin / 2
        return .after(left > .zero ? min(left, part) : part)
    }
}
