// Content is kept for its time and then goes; what is missing before that is said aloud.
internal import Content
internal import Core
internal import Platform
internal import Store

extension DownloadWorker {
    /// Downloads that are looked at in one transaction.
    private static let retentionBatch = 100

    /// Warns, ends and removes, until the worker stops.
    func retain() async {
        guard let instance = Identifier(hexadecimal: tools.instance) else { return }
        let pause = Alarm()
        let lane = FileLane(label: "retention")
        let contents = downloads.contents
        await findLost(contents, instance, on: lane)
        while isWorking {
            do throws(StoreError) {
                var isMore = true
                while isMore, isWorking {
                    let (count, isTold) = try await contents.proceed(
                        limit: DownloadWorker.retentionBatch)
                    if isTold { delivered() }
                    isMore = count == DownloadWorker.retentionBatch
                }
                isMore = true
                while isMore, isWorking {
                    let count = try await removeDoomed(contents, instance, on: lane)
                    isMore = count == DownloadWorker.retentionBatch
                }
            } catch {
                log.warn("content is not looked after", [("error", .string(error.description))])
            }
            await wait(settings.retentionInterval, with: pause)
        }
    }

    /// Removes files that nobody may have any more; the row said so first.
    ///
    /// - Returns: how many rows were forgotten.
    private func removeDoomed(
        _ contents: Contents, _ instance: Identifier, on lane: FileLane
    ) async throws(StoreError) -> Int {
        let rows = try await contents.doomed(
            instance: instance, limit: DownloadWorker.retentionBatch)
        guard !rows.isEmpty else { return 0 }
        let content = tools.content
        let gone = await lane.run {
            rows.filter { row in
                do throws(ContentError) {
                    // A reader that has the file open reads on.
                    try content.delete(ContentName(download: row.id, fence: row.fence))
                    return true
                } catch {
                    return false
                }
            }
        }
        try await contents.forget(gone.map(\.id))
        return gone.count
    }

    /// Compares the rows with the files, once at the start.
    func findLost(_ contents: Contents, _ instance: Identifier, on lane: FileLane) async {
        let content = tools.content
        let pause = Alarm()
        var last: Identifier?
        var lost: Int64 = 0
        while isWorking {
            do throws(StoreError) {
                let rows = try await contents.held(instance: instance, after: last, limit: 1000)
                guard let end = rows.last else { break }
                last = end.id
                let missing = await lane.run { rows.filter { !content.hasContent($0) } }
                for row in missing
                where try await contents.lose(row.id, instance: instance) {
                    lost += 1
                    log.error(
                        "content lost",
                        [
                            ("download_id", .string(row.id.text(.download))),
                            ("length", .integer(row.length)),
                        ])
                }
            } catch {
                log.warn("content not compared", [("error", .string(error.description))])
                await wait(.seconds(5), with: pause)
            }
        }
        if lost > 0 { log.error("content was lost", [("lull_content_lost_total", .integer(lost))]) }
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
