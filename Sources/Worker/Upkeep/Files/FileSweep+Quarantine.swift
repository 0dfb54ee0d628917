// Files in quarantine: taken back, removed after their time, or removed for room.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store

extension FileSweep {
    /// The hour by which the quarantine groups its files, at an instant.
    static func hour(_ now: Timestamp) -> Int64 { now.microseconds / 3_600_000_000 }

    /// Takes files back that a row names again, and removes those whose time has passed.
    static func lookThroughQuarantine(
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let content = worker.tools.content
        let lane = FileLane(label: "quarantine")
        var resting = DiskGauge.Quarantine()
        for hour in await lane.run({ FileSweep.hours(in: content) }) where worker.isWorking {
            let files = await lane.run { FileSweep.files(restingSince: hour, in: content) }
            for start in stride(from: 0, to: files.count, by: batch) where worker.isWorking {
                let part = Array(files[start..<min(start + batch, files.count)])
                let ids = Array(Set(part.compactMap(\.file.name.download)))
                let found = try await worker.ledger.owners(of: ids, instance: content.instance)
                let oldest = FileSweep.hour(
                    min(found.now, worker.clock.endsUntil) - worker.settings.quarantine)
                // In the last hour the file may have been added at its end.
                let isOver = hour < oldest || worker.settings.quarantine <= .zero
                let seen = await lane.run {
                    FileSweep.settle(part, found, isOver: isOver, in: content)
                }
                resting.files += seen.left.files
                resting.bytes += seen.left.bytes
                for file in seen.returned {
                    worker.log.info(
                        "file returned from the quarantine, because a download names it",
                        [("file", .string(file.file.name.description))])
                }
            }
            await lane.run { Quarantine(of: content).removeFolder(ofHour: hour) }
        }
        worker.gauge.quarantine = resting
    }

    /// Removes files in quarantine, those of the oldest hour first, until there is enough room.
    ///
    /// - Parameters:
    ///   - bytes: how much room is to be made at least, in bytes.
    ///   - content: the store with the files.
    /// - Returns: how many files were removed.
    static func yield(_ bytes: Int64, in content: ContentStore) -> Int {
        var (count, freed) = (0, Int64(0))
        for hour in hours(in: content) {
            for resting in files(restingSince: hour, in: content) where freed < bytes {
                do throws(ContentError) {
                    guard try Quarantine(of: content).remove(resting) else { continue }
                    count += 1
                    freed += resting.file.length
                } catch {}
            }
            Quarantine(of: content).removeFolder(ofHour: hour)
            if freed >= bytes { break }
        }
        return count
    }

    private static func settle(
        _ files: [QuarantinedFile], _ found: FileOwners, isOver: Bool, in content: ContentStore
    ) -> (returned: [QuarantinedFile], left: DiskGauge.Quarantine) {
        var returned: [QuarantinedFile] = []
        var left = DiskGauge.Quarantine()
        for resting in files {
            guard let id = resting.file.name.download else { continue }
            let owner = found.owners[id] ?? .unknown
            // A file that cannot be removed is found again next time.
            do throws(ContentError) {
                if owner.wantsBack(
                    fence: resting.file.name.fence, isPart: resting.file.isPart)
                {
                    if try Quarantine(of: content).takeBack(resting) { returned.append(resting) }
                } else if isOver || found.leavingNothing.contains(id) {
                    try Quarantine(of: content).remove(resting)
                } else {
                    left.files += 1
                    left.bytes += resting.file.length
                }
            } catch {}
        }
        return (returned, left)
    }

    // A folder that cannot be read is read next time.

    private static func hours(in content: ContentStore) -> [Int64] {
        do throws(ContentError) { return try Quarantine(of: content).hours() } catch { return [] }
    }

    private static func files(
        restingSince hour: Int64, in content: ContentStore
    ) -> [QuarantinedFile] {
        do throws(ContentError) {
            return try Quarantine(of: content).files(restingSince: hour)
        } catch {
            return []
        }
    }
}
