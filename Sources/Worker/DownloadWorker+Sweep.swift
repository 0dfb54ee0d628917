// Files that no row needs: what a crash left behind, and what a change of a download made useless.
internal import Content
internal import Core
internal import Platform
internal import Store

extension DownloadWorker {
    /// Files that are asked about at once.
    private static let sweepBatch = 1000

    /// Looks through all files now and then, one shard at a time, so that nobody notices.
    func sweepAgain() async {
        let pause = Alarm()
        while isWorking {
            await wait(settings.sweepInterval, with: pause)
            await sweep(pausing: .milliseconds(100))
        }
    }

    /// Removes the files that no row needs.
    ///
    /// - Parameter gap: the rest after each shard in which there was something to do.
    func sweep(pausing gap: Duration = .zero) async {
        guard let instance = Identifier(hexadecimal: tools.instance) else { return }
        let lane = FileLane(label: "sweep")
        let pause = Alarm()
        let content = tools.content
        var removed = 0
        var pending: [StoredFile] = []
        for shard in UInt8.min...UInt8.max {
            guard isWorking else { return }
            pending += await lane.run { () -> [StoredFile] in
                do throws(ContentError) {
                    return try content.files(inShard: shard)
                } catch {
                    return []
                }
            }
            while pending.count >= DownloadWorker.sweepBatch || shard == .max && !pending.isEmpty {
                // The files first, then the rows: what a row needs from then on has a new name.
                let batch = Array(pending.prefix(DownloadWorker.sweepBatch))
                pending.removeFirst(batch.count)
                do throws(StoreError) {
                    let orphans = try await orphans(among: batch, instance)
                    removed += await lane.run { DownloadWorker.remove(orphans, from: content) }
                } catch {
                    log.warn("sweep ended early", [("error", .string(error.description))])
                    return
                }
                if gap > .zero { await wait(gap, with: pause) }
            }
        }
        if removed > 0 { log.info("orphaned files removed", [("files", .integer(Int64(removed)))]) }
    }

    private func orphans(
        among files: [StoredFile], _ instance: Identifier
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
