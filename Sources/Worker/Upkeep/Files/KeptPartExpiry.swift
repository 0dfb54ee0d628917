// Removes bytes of failed downloads, which a retry could continue, after their retention.
internal import Content
internal import Platform
internal import Store

/// Removes kept bytes of failed downloads after `content_retention`, and of deleted ones.
struct KeptPartExpiry: Duty {
    /// The most files that are removed at once.
    private static let batch = 100
    /// The time between turns, in shortest pauses.
    private static let pauses = 30

    let name = "kept bytes"
    let endsByTheClock = true

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        var isMore = true
        while isMore, worker.isWorking {
            isMore = try await KeptPartExpiry.giveUp(room: 0, on: worker) == KeptPartExpiry.batch
        }
        return .after(worker.settings.retentionInterval * KeptPartExpiry.pauses)
    }

    /// Gives up bytes after their retention, and further ones for room.
    ///
    /// The rows are changed first: a remaining file is then found by the sweep.
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
                // A file that cannot be removed is left for the sweep.
                do throws(ContentError) {
                    try content.deletePart(
                        ContentName(download: file.download, fence: file.fence))
                } catch {}
            }
        }
        return files.count
    }
}
