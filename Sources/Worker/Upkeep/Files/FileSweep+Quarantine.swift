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
        var resting = DiskGauge.Quarantine()
        for place in worker.tools.sweptPlaces {
            var listing = PlaceListing(of: place, .quarantine)
            while worker.isWorking, let files = await listing.nextPage() {
                for start in stride(from: 0, to: files.count, by: batch) where worker.isWorking {
                    let part = Array(files[start..<min(start + batch, files.count)])
                    let left = try await settle(part, in: place, worker)
                    resting.files += left.files
                    resting.bytes += left.bytes
                }
            }
        }
        worker.gauge.quarantine = resting
    }

    /// Settles files of the quarantine by their rows.
    ///
    /// - Returns: the files that stay there.
    private static func settle(
        _ files: [StoredFile], in place: any ContentPlace, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> DiskGauge.Quarantine {
        let ids = Array(Set(files.compactMap(\.name.download)))
        let found = try await worker.ledger.owners(of: ids, instance: place.identifier)
        let oldest = hour(min(found.now, worker.clock.endsUntil) - worker.settings.quarantine)
        var (wanted, going): ([StoredFile], [StoredFile]) = ([], [])
        var left = DiskGauge.Quarantine()
        for file in files {
            guard let id = file.name.download else { continue }
            let owner = found.owners[id] ?? .unknown
            // In the last hour the file may have been added at its end.
            let isOver =
                file.restsSince ?? .max < oldest || worker.settings.quarantine <= .zero
            if owner.wantsBack(fence: file.name.fence, isPart: file.isPart) {
                wanted.append(file)
            } else if isOver || found.leavingNothing.contains(id) {
                going.append(file)
            } else {
                left.files += 1
                left.bytes += file.length
            }
        }
        // A file that cannot be moved or removed is found again next time.
        for file in await place.takeBack(wanted) {
            worker.log.info(
                "a file is taken back from the quarantine",
                [("file", .string(file.name.description))])
        }
        _ = await place.clear(going)
        return left
    }

    /// Removes files in quarantine, those of the oldest hour first, until there is enough room.
    ///
    /// - Parameters:
    ///   - bytes: how much room is to be made at least, in bytes.
    ///   - places: the places with the files; those elsewhere make no room.
    /// - Returns: how many files were removed.
    static func yield(_ bytes: Int64, in places: [any ContentPlace]) async -> Int {
        var (count, freed) = (0, Int64(0))
        for place in places where place.isOnDataVolume {
            var listing = PlaceListing(of: place, .quarantine)
            while freed < bytes, let files = await listing.nextPage() {
                for file in files where freed < bytes {
                    guard !(await place.clear([file])).isEmpty else { continue }
                    count += 1
                    freed += file.length
                }
            }
        }
        return count
    }
}
