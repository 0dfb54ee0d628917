// Erases secrets whose download is gone, once after the start, and those that no retry has used.
internal import Platform
internal import Store

/// Normally finds no orphans: a download's end deletes its secrets with it.
struct OrphanedSecrets: Duty {
    let name = "orphaned secrets"
    let endsByTheClock = true
    private var isDone = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        if !isDone {
            let count = try await worker.downloads.eraseOrphanedSecrets()
            isDone = true
            if count > 0 {
                worker.log.warn("orphaned secrets erased", [("count", .integer(count))])
            }
        }
        let unused = try await worker.downloads.eraseUnusedSecrets(
            until: worker.clock.endsUntil)
        if unused > 0 {
            worker.log.info("unused secrets erased", [("count", .integer(unused))])
        }
        return .after(.seconds(3600))
    }
}
