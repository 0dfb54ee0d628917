// Compares the runs that the store has for this replica with those of the process, because the
// answer of a claim may be lost.
internal import Platform
internal import Store

/// Releases runs that only the store has; the heartbeat does not wait for it.
struct UnknownRunRelease: Duty {
    let name = "unknown runs"
    private var isFirst = true

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let nextTurn = NextTurn.after(worker.settings.heartbeatInterval)
        guard !isFirst else {
            isFirst = false
            return nextTurn
        }
        let isActive = UnknownRunRelease.mayHold(worker)
        try await worker.releaseUnknownRuns(claimedBefore: worker.settings.lease)
        return isActive ? nextTurn : .untilCalled
    }

    /// Whether a claim was sent so lately that its downloads may not be known yet.
    private static func mayHold(_ worker: isolated DownloadWorker) -> Bool {
        guard worker.runs.isEmpty, !worker.isClaiming else { return true }
        guard let claimedAt = worker.claimedAt else { return false }
        let age = Duration.nanoseconds(SystemClock.bootNanoseconds() - claimedAt)
        return age < worker.settings.lease * 2 + .seconds(60)
    }
}
