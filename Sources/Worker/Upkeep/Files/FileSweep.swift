// Finds files that no row needs, after a crash or a change of a download, and files of lost
// content.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store

/// Looks through all files at the start and at intervals, beside claims and runs.
///
/// Files are listed before their rows are read, and the fence of a row only grows, so no file is
/// removed that a run creates meanwhile.
struct FileSweep: Duty {
    /// The number of files whose rows are read at once.
    static let batch = 1000

    let name = "sweep"
    let endsByTheClock = true
    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        await FileSweep.sweep(worker)
        return .after(worker.settings.sweepInterval)
    }

    /// Puts files that no row needs into quarantine, or removes them.
    ///
    /// - Parameter worker: the worker with the files.
    static func sweep(_ worker: isolated DownloadWorker) async {
        do throws(StoreError) {
            try await lookThroughQuarantine(worker)
        } catch {
            worker.log.warn(
                "search for orphaned files ended early", [("error", .string(error.description))])
            return
        }
        let instance = worker.tools.content.instance
        let lane = FileLane(label: "sweep")
        let content = worker.tools.content
        var removed = 0
        var rested = DiskGauge.Quarantine()
        var shard = 0
        while shard < 256, worker.isWorking {
            let first = shard
            let (files, next) = await lane.run { FileSweep.files(in: content, from: first) }
            shard = next
            for start in stride(from: 0, to: files.count, by: batch) where worker.isWorking {
                // Files are listed first, then rows are read: a file that a row needs from then on
                // has a new name.
                let part = Array(files[start..<min(start + batch, files.count)])
                do throws(StoreError) {
                    let found = try await judge(
                        part, instance, worker.ledger, until: worker.clock.endsUntil)
                    let isKept = worker.settings.quarantine > .zero
                    let (resting, going) =
                        isKept ? (found.resting, found.going) : ([], found.resting + found.going)
                    removed += await lane.run { remove(going, from: content) }
                    let more = await lane.run { isolate(resting, in: content, hour: found.hour) }
                    rested.files += more.files
                    rested.bytes += more.bytes
                    for file in found.returned { try await markFound(file, lane, worker) }
                } catch {
                    worker.log.warn(
                        "search for orphaned files ended "
                            + "early", [("error", .string(error.description))])
                    return
                }
                // Pauses, so that runs can use the disk and the database.
                await worker.bells[FileSweep.self].pause(.milliseconds(100))
            }
        }
        if removed > 0 {
            worker.log.info("orphaned files removed", [("files", .integer(Int64(removed)))])
        }
        if rested.files > 0 {
            worker.log.info(
                "orphaned files moved to the quarantine", [("files", .integer(rested.files))])
            worker.gauge.quarantine.files += rested.files
            worker.gauge.quarantine.bytes += rested.bytes
        }
    }

    /// The files of shards from a given one on, until there are enough for a batch.
    ///
    /// - Returns: the files, and the first shard that was not read.
    private static func files(
        in content: ContentStore, from first: Int
    ) -> (files: [StoredFile], next: Int) {
        var files: [StoredFile] = []
        var shard = first
        while shard < 256, files.count < batch {
            // A shard that cannot be read is read next time.
            do throws(ContentError) {
                files += try content.files(inShard: UInt8(shard))
            } catch {}
            shard += 1
        }
        return (files, shard)
    }

    /// The decisions about some files.
    private struct Judged {
        var resting: [StoredFile] = []
        var going: [StoredFile] = []
        /// Files of lost content.
        var returned: [StoredFile] = []
        /// The current hour of the quarantine.
        var hour: Int64 = 0
    }

    private static func judge(
        _ files: [StoredFile], _ instance: Identifier, _ ledger: Ledger, until latest: Timestamp
    ) async throws(StoreError) -> Judged {
        let ids = Array(Set(files.compactMap(\.name.download)))
        let found = try await ledger.owners(of: ids, instance: instance)
        let now = min(found.now, latest)
        var judged = Judged()
        judged.hour = FileSweep.hour(found.now)
        for file in files {
            guard let id = file.name.download else { continue }
            let owner = found.owners[id] ?? .unknown
            if !file.isPart, case .lost(file.name.fence, _) = owner { judged.returned.append(file) }
            let disposition = owner.disposition(
                fence: file.name.fence, isPart: file.isPart,
                age: now - Timestamp(seconds: file.modifiedSeconds),
                acquaintance: now - found.knownSince,
                leavesNothing: found.leavingNothing.contains(id))
            switch disposition {
            case .keep: break
            case .quarantine: judged.resting.append(file)
            case .remove: judged.going.append(file)
            }
        }
        return judged
    }

    /// Makes a found file of lost content available again, if it has its digest.
    private static func markFound(
        _ file: StoredFile, _ lane: FileLane, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let contents = worker.downloads.contents
        let content = worker.tools.content
        guard let id = file.name.download, let lost = try await contents.lostFile(of: id),
            lost.fence == file.name.fence, lost.length == file.length
        else { return }
        let isSame = await lane.run {
            do throws(ContentError) {
                return try content.digest(of: file.name, length: lost.length) == lost.sha256
            } catch {
                return false
            }
        }
        guard isSame else {
            worker.log.warn(
                "file of lost content found, but with other bytes",
                [("download_id", .string(id.text(.download)))])
            return
        }
        guard try await contents.markFound(id, fence: lost.fence, in: content.instance) else {
            return
        }
        worker.log.info(
            "lost content found again", [("download_id", .string(id.text(.download)))])
    }

    private static func isolate(
        _ files: [StoredFile], in content: ContentStore, hour: Int64
    ) -> DiskGauge.Quarantine {
        let quarantine = Quarantine(of: content)
        var rested = DiskGauge.Quarantine()
        for file in files {
            // A file that cannot be moved is found again next time.
            do throws(ContentError) {
                guard try quarantine.isolate(file, hour: hour) else { continue }
                rested.files += 1
                rested.bytes += file.length
            } catch {}
        }
        return rested
    }

    private static func remove(_ files: [StoredFile], from content: ContentStore) -> Int {
        var count = 0
        for file in files {
            // A file that cannot be removed is found again next time.
            do throws(ContentError) { if try content.remove(file) { count += 1 } } catch {}
        }
        return count
    }
}
