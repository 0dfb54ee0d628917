// Gives uploads their bytes whose source is content that this replica holds.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Makes the file of each such upload by a further name of the content's file, and stages it.
///
/// An upload whose content was removed before that asks its client.
struct SourcedUploads: Duty {
    private static let batch = 100

    let name = "uploads of held content"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let uploads = Uploads(worker.downloads)
        let instance = worker.tools.content.instance
        var isFull = true
        while isFull, worker.isWorking {
            let waiting = try await uploads.sourced(in: instance, limit: SourcedUploads.batch)
            isFull = waiting.count == SourcedUploads.batch
            for upload in waiting where worker.isWorking {
                if await link(upload, worker) {
                    let file = StagedFile(
                        id: upload.id, instance: instance, sha256: upload.sha256)
                    if try await uploads.stage(file) == .staged { worker.handle(.hinted) }
                } else {
                    try await uploads.lose(upload.id)
                }
            }
        }
        return .untilCalled
    }

    /// Makes the file of an upload.
    ///
    /// - Returns: false where the content is not there any more.
    private func link(
        _ upload: SourcedUpload, _ worker: isolated DownloadWorker
    ) async -> Bool {
        let content = worker.tools.content
        let name = ContentName(download: upload.source, fence: upload.sourceFence)
        let part = ContentName(download: upload.id, fence: 0)
        return await FileLane(label: "uploads of content").run {
            do throws(ContentError) {
                try content.link(name, asPart: part, length: upload.length)
                return true
            } catch {
                return false
            }
        }
    }
}
