// At the start: files that no row names are what a crash left behind.
internal import Content
internal import Core
internal import Platform
internal import Store

extension DownloadWorker {
    /// Files that are asked about at once.
    private static let sweepBatch = 1000

    /// Removes files of attempts that no row remembers; runs before the first claim.
    ///
    /// Only files from before this process count, so that nothing which is being published now can
    /// be taken for an orphan.
    func sweep() async {
        let startedSeconds = SystemClock.wallMicroseconds() / 1_000_000
        let lane = FileLane(label: "sweep")
        let content = tools.content
        var removed = 0
        var pending: [StoredFile] = []
        for shard in UInt8.min...UInt8.max {
            let listed = await lane.run { () -> [StoredFile] in
                do throws(ContentError) {
                    return try content.files(inShard: shard)
                } catch {
                    return []
                }
            }
            pending += listed.filter { $0.modifiedSeconds <= startedSeconds }
            guard pending.count >= DownloadWorker.sweepBatch || shard == .max, !pending.isEmpty
            else { continue }
            do throws(StoreError) {
                let orphans = try await orphans(among: pending)
                pending = []
                removed += await lane.run { DownloadWorker.remove(orphans, from: content) }
            } catch {
                log.warn("sweep ended early", [("error", .string(error.description))])
                return
            }
        }
        if removed > 0 { log.info("orphaned files removed", [("files", .integer(Int64(removed)))]) }
    }

    private func orphans(among files: [StoredFile]) async throws(StoreError) -> [StoredFile] {
        let kept = try await ledger.keptFiles(
            of: Array(Set(files.compactMap(\.name.download))), instance: tools.instance)
        return files.filter { file in
            guard let id = file.name.download else { return false }
            return !kept.contains(
                KeptFile(download: id, fence: file.name.fence, isPart: file.isPart))
        }
    }

    private static func remove(_ files: [StoredFile], from content: ContentStore) -> Int {
        var count = 0
        for file in files {
            // What resists is found again at the next start.
            do throws(ContentError) { if try content.remove(file) { count += 1 } } catch {}
        }
        return count
    }
}
