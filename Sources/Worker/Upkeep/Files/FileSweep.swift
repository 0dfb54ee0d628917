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
        var tally = Tally()
        do throws(StoreError) {
            try await lookThroughQuarantine(worker)
            for place in worker.tools.sweptPlaces { try await sweep(place, worker, &tally) }
        } catch {
            worker.log.warn(
                "search for orphaned files ended early", [("error", .string(error.description))])
            return
        }
        if tally.removed > 0 {
            worker.log.info(
                "orphaned files removed", [("files", .integer(Int64(tally.removed)))])
        }
        if tally.rested.files > 0 {
            worker.log.info(
                "orphaned files moved to the quarantine",
                [("files", .integer(tally.rested.files))])
            worker.gauge.quarantine.files += tally.rested.files
            worker.gauge.quarantine.bytes += tally.rested.bytes
        }
    }

    /// The counts of one sweep.
    private struct Tally {
        var removed = 0
        var rested = DiskGauge.Quarantine()
    }

    private static func sweep(
        _ place: any ContentPlace, _ worker: isolated DownloadWorker, _ tally: inout Tally
    ) async throws(StoreError) {
        let isKept = worker.settings.quarantine > .zero
        let lane = FileLane(label: "regain")
        var listing = PlaceListing(of: place, .current)
        while worker.isWorking, let files = await listing.nextPage() {
            for start in stride(from: 0, to: files.count, by: batch) where worker.isWorking {
                // Files are listed first, then rows are read: a file that a row needs from then on
                // has a new name.
                let part = Array(files[start..<min(start + batch, files.count)])
                let found = try await judge(
                    part, place.identifier, worker.ledger, until: worker.clock.endsUntil)
                let (resting, going) =
                    isKept ? (found.resting, found.going) : ([], found.resting + found.going)
                tally.removed += await place.clear(going).count
                let rested = await place.isolate(resting, since: found.hour)
                tally.rested.files += Int64(rested.count)
                tally.rested.bytes += rested.reduce(0) { $0 + $1.length }
                for file in found.returned { try await markFound(file, in: place, lane, worker) }
                // Pauses, so that runs can use the disk and the database.
                await worker.bells[FileSweep.self].pause(.milliseconds(100))
            }
        }
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
        _ file: StoredFile, in place: any ContentPlace, _ lane: FileLane,
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let contents = worker.downloads.contents
        guard let id = file.name.download, let lost = try await contents.lostFile(of: id),
            lost.fence == file.name.fence, lost.length == file.length
        else { return }
        var digest: String?
        do throws(PlaceError) {
            digest = try await place.digest(of: file.name, length: lost.length, on: lane)
        } catch {}
        guard digest == lost.sha256 else {
            worker.log.warn(
                "file of lost content found, but with other bytes",
                [("download_id", .string(id.text))])
            return
        }
        guard try await contents.markFound(id, fence: lost.fence, in: place.identifier) else {
            return
        }
        worker.log.info(
            "lost content found again", [("download_id", .string(id.text))])
    }
}
