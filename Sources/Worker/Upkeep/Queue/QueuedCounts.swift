// Keeps the numbers of the apps' live downloads correct and cheap to read.
internal import Platform
internal import Store

/// Merges changes every half minute, and compares the sums with the rows at intervals.
struct QueuedCounts: Duty {
    let name = "queued counts"
    private static let batch = 10_000
    private static let summing = Duration.seconds(30)
    /// The number of turns for each audit, which reads the whole queue.
    private static let turnsForEachAudit = 120
    private var turns = 0

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        while worker.isWorking,
            try await worker.downloads.queue.sumQueued(limit: QueuedCounts.batch) >= QueuedCounts
                .batch
                / 2
        {}
        turns += 1
        if turns % QueuedCounts.turnsForEachAudit == 0 {
            let wrong = try await worker.downloads.queue.auditQueued()
            if wrong > 0 {
                worker.log.error(
                    "counts of downloads of apps were wrong and have been corrected",
                    [("count", .integer(wrong))])
            }
        }
        return .after(QueuedCounts.summing)
    }
}
