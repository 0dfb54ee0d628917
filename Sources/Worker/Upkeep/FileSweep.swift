// Files that no row needs: what a crash left behind, and what a change of a download made useless.
internal import Content
internal import Core
internal import Platform
internal import Store

/// Looks through all files at the start and now and then, beside claims and runs: files are listed
/// before their rows are read, and the fence of a row only grows, so that nothing is removed that a
/// run makes meanwhile.
struct FileSweep: Duty {
    /// Files that are asked about at once.
    private static let batch = 1000

    let name = "sweep"
    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        await FileSweep.sweep(worker)
        return .after(worker.settings.sweepInterval)
    }

    /// Removes the files that no row needs.
    ///
    /// - Parameter worker: the worker with the files.
    static func sweep(_ worker: isolated DownloadWorker) async {
        let instance = worker.tools.content.instance
        let lane = FileLane(label: "sweep")
        let content = worker.tools.content
        var removed = 0
        var shard = 0
        while shard < 256, worker.isWorking {
            let first = shard
            let (files, next) = await lane.run { FileSweep.files(in: content, from: first) }
            shard = next
            for start in stride(from: 0, to: files.count, by: batch) where worker.isWorking {
                // The files first, then the rows: what a row needs from then on has a new name.
                let part = Array(files[start..<min(start + batch, files.count)])
                do throws(StoreError) {
                    let orphans = try await orphans(among: part, instance, worker.ledger)
                    removed += await lane.run { remove(orphans, from: content) }
                } catch {
                    worker.log.warn(
                        "sweep ended early", [("error", .string(error.description))])
                    return
                }
                // The disk and the database are the runs' in between.
                await worker.bells[FileSweep.self].pause(.milliseconds(100))
            }
        }
        if removed > 0 {
            worker.log.info("orphaned files removed", [("files", .integer(Int64(removed)))])
        }
    }

    /// The files of shards from one on, until there are enough to ask about.
    ///
    /// - Returns: the files, and the first shard that was not read.
    private static func files(
        in content: ContentStore, from first: Int
    ) -> (files: [StoredFile], next: Int) {
        var files: [StoredFile] = []
        var shard = first
        while shard < 256, files.count < batch {
            // What cannot be read is read the next time.
            do throws(ContentError) {
                files += try content.files(inShard: UInt8(shard))
            } catch {}
            shard += 1
        }
        return (files, shard)
    }

    private static func orphans(
        among files: [StoredFile], _ instance: Identifier, _ ledger: Ledger
    ) async throws(StoreError) -> [StoredFile] {
        let ids = Array(Set(files.compactMap(\.name.download)))
        let found = try await ledger.owners(of: ids, instance: instance)
        return files.filter { file in
            guard let id = file.name.download else { return false }
            return !(found.owners[id] ?? .unknown).needs(
                fence: file.name.fence, isPart: file.isPart,
                age: found.now - Timestamp(seconds: file.modifiedSeconds),
                acquaintance: found.now - found.knownSince)
        }
    }

    private static func remove(_ files: [StoredFile], from content: ContentStore) -> Int {
        var count = 0
        for file in files {
            // What resists is found again the next time.
            do throws(ContentError) { if try content.remove(file) { count += 1 } } catch {}
        }
        return count
    }
}
