// The sweep of a data directory: listing, quarantine and removal.
internal import Platform

extension FolderPlace {
    /// The number of files from which a page is long enough.
    fileprivate static let page = 1000

    /// Lists whole shards, or the quarantine of an hour.
    ///
    /// The cursor is the number of the last shard or the last hour.
    package func list(
        _ area: StoredArea, after cursor: String?
    ) async throws(PlaceError) -> StoredPage {
        let last = cursor.flatMap { Int64($0) }
        return await sweepLane.run { [store] in
            switch area {
            case .current: store.page(ofShardsAfter: last)
            case .quarantine: Quarantine(of: store).page(after: last)
            }
        }
    }

    /// Removes listed files.
    package func clear(_ files: [StoredFile]) async -> [StoredFile] {
        await each(files) { store, file throws(ContentError) in try store.remove(file) }
    }

    /// Moves listed files into the quarantine.
    package func isolate(_ files: [StoredFile], since hour: Int64) async -> [StoredFile] {
        await each(files) { store, file throws(ContentError) in
            try Quarantine(of: store).isolate(file, hour: hour)
        }
    }

    /// Moves files of the quarantine back.
    package func takeBack(_ files: [StoredFile]) async -> [StoredFile] {
        await each(files) { store, file throws(ContentError) in
            try Quarantine(of: store).takeBack(file)
        }
    }

    /// Does something with each file; one for which it fails is found again by the next sweep.
    private func each(
        _ files: [StoredFile],
        _ body: @escaping @Sendable (ContentStore, StoredFile) throws(ContentError) -> Bool
    ) async -> [StoredFile] {
        guard !files.isEmpty else { return [] }
        return await sweepLane.run { [store] in
            files.filter { file in
                do throws(ContentError) { return try body(store, file) } catch { return false }
            }
        }
    }
}

extension ContentStore {
    /// The files of the shards behind one, until there are enough for a page.
    fileprivate func page(ofShardsAfter last: Int64?) -> StoredPage {
        var files: [StoredFile] = []
        var shard = Int(last ?? -1) + 1
        while shard < 256, files.count < FolderPlace.page {
            // A shard that cannot be read is read next time.
            do throws(ContentError) { files += try self.files(inShard: UInt8(shard)) } catch {}
            shard += 1
        }
        return StoredPage(files: files, next: shard < 256 ? String(shard - 1) : nil)
    }
}

extension Quarantine {
    /// The files of the hour behind one, whose folder is removed if it is empty by now.
    fileprivate func page(after last: Int64?) -> StoredPage {
        if let last { removeFolder(ofHour: last) }
        // A folder that cannot be read is read next time.
        do throws(ContentError) {
            guard let hour = try hours().first(where: { $0 > last ?? .min }) else {
                return StoredPage(files: [], next: nil)
            }
            return StoredPage(files: try files(restingSince: hour), next: String(hour))
        } catch {
            return StoredPage(files: [], next: nil)
        }
    }
}
