// Keeps the numbers of the apps' live downloads short to read and right.
internal import Platform
internal import Store

/// Sums changes up every half minute, and compares the sums with the rows now and then.
struct QueuedCounts: Duty {
    let name = "queued counts"
    private static let batch = 10_000
    private static let summing = Duration.seconds(30)
    /// An audit reads the whole queue: one in so many turns.
    private static let turnsForEachAudit = 120
    private var turns = 0

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        while worker.isWorking,
            try await worker.downloads.queue.sumQueued(limit: QueuedCounts.batch) >= QueuedCounts
                .batch
                / 2
        {}
        turns += 1
        if turns % QueuedCounts.turnsForEachAudit == 0 {
            let wrong = try await worker.downloads.queue.auditQueued()
            if wrong > 0 {
                worker.log.error("counts of apps were wrong", [("count", .integer(wrong))])
            }
        }
        return .after(QueuedCounts.summing)
    }
}
