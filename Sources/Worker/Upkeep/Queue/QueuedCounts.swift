// Keeps the numbers of the apps' live downloads correct and cheap to read.
internal import Platform
internal import Store

/// Merges changes every half minute, and compares the sums with the rows at intervals.
struct QueuedCounts: IndependentDuty {
    let name = "queued counts"
    let queue: QueueUpkeep
    private static let batch = 10_000
    private static let summing = Duration.seconds(30)
    /// The number of turns for each audit, which reads the whole queue.
    private static let turnsForEachAudit = 120
    private var turns = 0

    init(_ queue: QueueUpkeep) { self.queue = queue }

    mutating func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        var merged: Int64
        repeat {
            merged = try await queue.sumQueued(limit: QueuedCounts.batch)
        } while merged >= QueuedCounts.batch / 2 && context.isWorking
        turns += 1
        if turns % QueuedCounts.turnsForEachAudit == 0 {
            let wrong = try await queue.auditQueued()
            if wrong > 0 {
                context.log.error(
                    "counts of downloads of apps were wrong and have been corrected",
                    [("count", .integer(wrong))])
            }
        }
        return .after(QueuedCounts.summing)
    }
}
