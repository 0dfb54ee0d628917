// Keeping files that no row names for a while before they are removed.
internal import Glibc
internal import Platform

/// The folders `content/quarantine/<hour>/<file name>` of files that no database row names.
///
/// They are on the same volume as the files, so that a file is moved there and back by a rename.
///
/// All calls block: use them on a file lane.
struct Quarantine: Sendable {
    private static let root = "quarantine"

    private let directory: ContentDirectory

    /// Creates the quarantine of a store.
    init(of content: ContentStore) { directory = content.directory }

    /// The folder of an hour.
    static func folder(ofHour hour: Int64) -> String { "\(root)/\(hour)" }

    /// Moves a listed file into the quarantine, unless an attempt in this process is writing it.
    ///
    /// - Parameters:
    ///   - file: as `files(inShard:)` gave it.
    ///   - hour: since 1970, by the database's clock.
    /// - Returns: whether it was there.
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    func isolate(_ file: StoredFile, hour: Int64) throws(ContentError) -> Bool {
        if file.isPart, directory.openPart(file.name) != nil { return false }
        _ = try ContentStore.makeDirectory(Quarantine.root, in: directory)
        _ = try ContentStore.makeDirectory(Quarantine.folder(ofHour: hour), in: directory)
        do throws(ContentError) {
            try directory.rename(file.path, to: file.resting(since: hour).path)
            return true
        } catch {
            if error.code == .notFound { return false }
            guard error.code == .alreadyExists else { throw error }
            return try directory.remove(file.path)
        }
    }

    /// The hours for which the quarantine has a folder, oldest first.
    ///
    /// - Throws: `ContentError`: `ioError`.
    func hours() throws(ContentError) -> [Int64] {
        do throws(ContentError) {
            let folder = try directory.open(
                Quarantine.root, O_RDONLY | O_DIRECTORY, operation: "open quarantine")
            return try ContentDirectory.fileNames(in: folder.rawValue).compactMap { Int64($0) }
                .sorted()
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    /// Lists the files that were moved into the quarantine in an hour, in no order.
    ///
    /// - Throws: `ContentError`: `ioError`, `notFound` where the hour has no folder.
    func files(restingSince hour: Int64) throws(ContentError) -> [StoredFile] {
        let folder = try directory.open(
            Quarantine.folder(ofHour: hour), O_RDONLY | O_DIRECTORY, operation: "open quarantine")
        return try ContentDirectory.files(in: folder) { _ in true }
            .map { $0.resting(since: hour) }
    }

    /// Moves a file back into its shard.
    ///
    /// - Returns: whether it was put there; false where its name is taken, or it is gone.
    /// - Throws: `ContentError`: `ioError`.
    func takeBack(_ resting: StoredFile) throws(ContentError) -> Bool {
        try takeBack(resting.path, to: resting.resting(since: nil).path)
    }

    /// Moves a finished file back into its shard if it is in the quarantine.
    ///
    /// - Parameter name: as published.
    /// - Returns: whether it was there.
    /// - Throws: `ContentError`: `ioError`.
    func takeBack(_ name: ContentName) throws(ContentError) -> Bool {
        for hour in try hours() {
            let path = Quarantine.folder(ofHour: hour) + "/" + name.description
            if try takeBack(path, to: name.path) { return true }
        }
        return false
    }

    private func takeBack(_ path: String, to place: String) throws(ContentError) -> Bool {
        do throws(ContentError) {
            try directory.rename(path, to: place)
            return true
        } catch {
            guard error.code == .notFound || error.code == .alreadyExists else { throw error }
            return false
        }
    }

    /// Removes the folder of an hour if it is empty.
    func removeFolder(ofHour hour: Int64) {
        // A folder with files stays, and one that cannot be removed is tried again.
        _ = unsafe unlinkat(
            directory.descriptor.rawValue, Quarantine.folder(ofHour: hour), AT_REMOVEDIR)
    }
}
