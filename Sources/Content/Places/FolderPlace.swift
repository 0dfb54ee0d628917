// The place of content in a data directory: the folder of one replica.
package import Base
package import Downloads
internal import Platform
internal import Synchronization

/// The content in a replica's own data directory.
///
/// A part becomes content by a rename, so no byte is copied, and a reader gets the file itself.
/// Listings have the unfinished files of the data directory too. Each kind of work has its own
/// lane, so that a long look delays no publication.
package struct FolderPlace: ContentPlace {
    let store: ContentStore
    private let publishLane = FileLane(label: "publish")
    private let removeLane = FileLane(label: "remove")
    private let shareLane = FileLane(label: "share")
    private let sightLane = FileLane(label: "sight")
    let sweepLane = FileLane(label: "sweep")

    /// Creates the place of a data directory.
    package init(of store: ContentStore) { self.store = store }

    /// The identifier of the data directory.
    package var identifier: Identifier { store.instance }

    /// True: the files are in the data directory.
    package var isOnDataVolume: Bool { true }

    /// Renames and syncs files; a batch shares one sync.
    package func publish(_ batch: [FinishedContent]) async -> [Publication] {
        await publishLane.run { [store] in
            zip(batch, store.publish(batch.map(\.part))).map { item, result in
                switch result {
                case .success: .published
                case .failure(let error): store.repeated(item, after: error)
                }
            }
        }
    }

    /// Opens the file.
    package func open(
        _ name: ContentName, _ wish: ReadingWish
    ) async throws(PlaceError) -> ContentReading {
        let result = await ThreadPool.run { [store] in
            attempting { () throws(ContentError) in try store.openForReading(name) }
        }
        return .file(try result.get())
    }

    /// Removes the files.
    package func remove(_ names: [ContentName]) async -> [Removal] {
        // A single file is mostly one that a client releases: it does not wait for the many whose
        // time is over.
        guard names.count > 1 else {
            return await ThreadPool.run { [store] in names.map { store.removal(of: $0) } }
        }
        return await removeLane.run { [store] in names.map { store.removal(of: $0) } }
    }

    /// Makes links, or copies where the file system allows no further link.
    package func share(
        _ name: ContentName, as others: [ContentName], length: Int64
    ) async throws(PlaceError) {
        try await shareLane.run { [store] in
            attempting { () throws(ContentError) in
                try store.share(name, as: others, length: length)
            }
        }.get()
    }

    /// Looks for the files, after a look whether the folder is the data directory's own.
    package func sight(_ wanted: [WantedContent]) async -> [MissingFiles.Presence] {
        await sightLane.run { [store] in
            // A volume that is mounted again is noticed here, also while nothing is written.
            do throws(ContentError) { try store.expectOwnFolder() } catch {}
            return wanted.map { store.sightingWithQuarantine(of: $0.name, length: $0.length) }
        }
    }

    /// Takes the folder that is there as the data directory's.
    package func giveUpMissing() async throws(PlaceError) {
        try await sightLane.run { [store] in
            attempting { () throws(ContentError) in try store.adoptFolder() }
        }.get()
    }
}

/// The result of a file operation as the place tells it.
func attempting<Value>(
    _ body: () throws(ContentError) -> Value
) -> Result<Value, PlaceError> {
    do throws(ContentError) {
        return .success(try body())
    } catch {
        return .failure(PlaceError(error))
    }
}

extension ContentStore {
    /// The answer to a body that could not get its name.
    ///
    /// If the name has its bytes already, an earlier call published it, and its answer was lost.
    fileprivate func repeated(_ item: FinishedContent, after error: ContentError) -> Publication {
        guard error.code == .alreadyExists || error.code == .locked else {
            return .failed(PlaceError(error))
        }
        do throws(ContentError) {
            let file = try openForReading(item.name)
            guard file.length == item.length, try file.digest(length: item.length) == item.sha256
            else { return .failed(PlaceError(error)) }
            try syncPublished(item.name, file)
            return .published
        } catch {
            return .failed(PlaceError(error))
        }
    }

    /// Removes a finished file; a folder that cannot be read may still have it.
    fileprivate func removal(of name: ContentName) -> Removal {
        do throws(ContentError) {
            if directory.isOwn.load(ordering: .relaxed), try delete(name) { return .gone }
        } catch {
            return .failed(PlaceError(error))
        }
        guard presence(of: name, length: 0) == .missing else {
            return .failed(PlaceError(.unavailable, "the folder of the content cannot be read"))
        }
        return .gone
    }

    /// Looks for a finished file, also in quarantine: a row may name it again.
    fileprivate func sightingWithQuarantine(
        of name: ContentName, length: Int64
    ) -> MissingFiles.Presence {
        let found = presence(of: name, length: length)
        guard found == .missing else { return found }
        do throws(ContentError) {
            guard try Quarantine(of: self).takeBack(name) else { return .missing }
            return presence(of: name, length: length)
        } catch {
            return .missing
        }
    }
}
