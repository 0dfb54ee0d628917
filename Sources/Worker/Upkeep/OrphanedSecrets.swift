// Erases secrets whose download is gone, once after the start.
internal import Platform
internal import Store

/// Normally finds nothing: a download's end deletes its secrets with it.
struct OrphanedSecrets: Duty {
    let name = "orphaned secrets"
    private var isDone = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        guard !isDone else { return .after(.seconds(86_400)) }
        let count = try await worker.downloads.eraseOrphanedSecrets()
        isDone = true
        if count > 0 {
            worker.log.warn("orphaned secrets erased", [("count", .integer(count))])
        }
        return .after(.seconds(86_400))
    }
}
