// Bytes of failed downloads, which a retry goes on with: removed when their time is over.
internal import Content
internal import Core
internal import Store

/// Removes what is kept of failed downloads after `content_retention`, and of those that were
/// deleted.
struct KeptParts: Duty {
    /// Files that are removed at once.
    private static let batch = 100
    /// A turn follows after so many of the shortest pauses.
    private static let pauses = 30

    let name = "kept bytes"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        var isMore = true
        while isMore, worker.isWorking {
            isMore = try await KeptParts.giveUp(room: 0, on: worker) == KeptParts.batch
        }
        return .after(worker.settings.retentionInterval * KeptParts.pauses)
    }

    /// Gives up bytes whose time is over, and others for room.
    ///
    /// The rows go first: what remains of a file then is found by the sweep.
    ///
    /// - Parameters:
    ///   - room: bytes to be made free although their time is not over.
    ///   - worker: the worker with the files.
    /// - Returns: how many downloads lost their bytes.
    /// - Throws: `unavailable` or `refused`.
    static func giveUp(
        room: Int64, on worker: isolated DownloadWorker
    ) async throws(StoreError) -> Int {
        let content = worker.tools.content
        let files = try await worker.ledger.giveUpParts(
            in: content.instance, until: worker.clock.endsUntil,
            retention: worker.settings.contentRetention, room: room, limit: batch)
        guard !files.isEmpty else { return 0 }
        await worker.volumeLane.run {
            for file in files {
                // A file that resists is left for the sweep.
                do throws(ContentError) {
                    try content.deletePart(
                        ContentName(download: file.download, fence: file.fence))
                } catch {}
            }
        }
        return files.count
    }
}
