// Compares the rows of content with the files, once after the start.
internal import Content
internal import Core
internal import Platform
internal import Store

/// A file that is missing or damaged is marked in its row and logged.
struct LostContent: Duty {
    let name = "lost content"
    private let lane = FileLane(label: "compare")
    private var last: Identifier?
    private var lost: Int64 = 0
    private var isDone = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        guard !isDone else { return .after(.seconds(86_400)) }
        let instance = worker.tools.content.instance
        let contents = worker.downloads.contents
        let content = worker.tools.content
        while worker.isWorking {
            let rows = try await contents.held(instance: instance, after: last, limit: 1000)
            guard let end = rows.last else { break }
            let missing = await lane.run { rows.filter { !content.hasContent($0) } }
            for row in missing where try await contents.lose(row.id, instance: instance) {
                lost += 1
                worker.gauge.countLost()
                worker.log.error(
                    "content lost",
                    [
                        ("download_id", .string(row.id.text(.download))),
                        ("length", .integer(row.length)),
                    ])
            }
            last = end.id
            await worker.bells[LostContent.self].pause(.milliseconds(100))
        }
        isDone = true
        if lost > 0 { worker.log.error("content was lost", [("files", .integer(lost))]) }
        return .after(.seconds(86_400))
    }
}

extension ContentStore {
    /// Whether the file of a row is there with its length; one that cannot be asked is not lost.
    fileprivate func hasContent(_ row: ContentRow) -> Bool {
        do throws(ContentError) {
            return try length(of: ContentName(download: row.id, fence: row.fence)) == row.length
        } catch {
            return error.code != .notFound
        }
    }
}
