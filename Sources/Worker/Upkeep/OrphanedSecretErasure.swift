// Erases secrets of missing downloads, once after the start, and secrets that no retry has used.
internal import Platform
internal import Store

/// Normally there are no such secrets: they are deleted with a download's end.
struct OrphanedSecretErasure: Duty {
    let name = "orphaned secrets"
    let endsByTheClock = true
    private var isDone = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        if !isDone {
            let count = try await worker.downloads.eraseOrphanedSecrets()
            isDone = true
            if count > 0 {
                worker.log.warn(
                    "secrets of downloads that do not exist were erased",
                    [("count", .integer(count))])
            }
        }
        let unused = try await worker.downloads.eraseUnusedSecrets(
            until: worker.clock.endsUntil)
        if unused > 0 {
            worker.log.info(
                "secrets for a retry that never came were erased", [("count", .integer(unused))])
        }
        return .after(.seconds(3600))
    }
}
