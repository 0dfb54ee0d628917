// Whether `content/` is the folder that this data directory worked on, and how a file is found there.
internal import CPlatform
package import Core
internal import Glibc
internal import Platform
internal import Synchronization

extension ContentStore {
    /// What the name of a folder's mark begins with.
    static let markPrefix = "instance-"

    /// Why nothing is written to `content/`, for people.
    private static let foreign =
        "the folder content is not the one that this data directory had: is its volume mounted?"

    /// Whether an open folder has the mark.
    ///
    /// - Throws: `ContentError`: `ioError`.
    func isOwn(_ folder: ContentDirectory) throws(ContentError) -> Bool {
        do {
            _ = try FileStatus(of: mark, in: folder.descriptor.rawValue)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Checks that `content/` is this data directory's; opens it again where it was not.
    ///
    /// - Throws: `ContentError`: `ioError`; nothing may be written then.
    package func expectOwnFolder() throws(ContentError) {
        if directory.isOwn.load(ordering: .relaxed) {
            if try isOwn(directory) { return }
            directory.isOwn.store(false, ordering: .relaxed)
        }
        // A volume that was mounted meanwhile is not seen through the old descriptor.
        let folder = try openFolder()
        guard try isOwn(folder) else { throw ContentError(.ioError, ContentStore.foreign) }
        try attempt("dup3") {
            lull_dup3(folder.descriptor.rawValue, directory.descriptor.rawValue)
        }
        directory.isOwn.store(true, ordering: .relaxed)
    }

    /// `content/` as the path leads to it now.
    private func openFolder() throws(ContentError) -> ContentDirectory {
        do throws(ContentError) {
            return ContentDirectory(
                owning: try data.open("content", O_RDONLY | O_DIRECTORY, operation: "open content"))
        } catch {
            guard error.code == .notFound else { throw error }
            throw ContentError(.ioError, ContentStore.foreign)
        }
    }

    /// Gives up what `content/` held before: the folder at its path is this data directory's.
    ///
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    package func adoptFolder() throws(ContentError) {
        do throws(ContentError) {
            try expectOwnFolder()
            return
        } catch {}
        _ = try ContentStore.makeDirectory("content", in: data)
        let folder = try openFolder()
        try attempt("dup3") {
            lull_dup3(folder.descriptor.rawValue, directory.descriptor.rawValue)
        }
        try claimFolder()
    }

    /// Looks for a finished file.
    ///
    /// - Parameters:
    ///   - name: as published.
    ///   - length: how long it has to be, in bytes.
    package func sighting(
        of name: ContentName, length: Int64
    ) -> MissingFiles.Sighting {
        guard directory.isOwn.load(ordering: .relaxed) else { return .unreadable }
        do throws(ContentError) {
            return try self.length(of: name) == length ? .there : .missing
        } catch {
            guard error.code == .notFound else { return .unreadable }
        }
        do throws(ContentError) {
            // Without its shard, or without the mark, the whole folder is another one.
            _ = try FileStatus(
                of: ContentName.directory(ofShard: name.shard),
                in: directory.descriptor.rawValue)
            return try isOwn(directory) ? .missing : .unreadable
        } catch {
            return .unreadable
        }
    }
}

extension ContentDirectory {
    /// Whether it was made into the folder of files before folders had marks.
    func isUnmarked() throws(ContentError) -> Bool {
        let names = try ContentDirectory.fileNames(in: descriptor.rawValue)
        guard !names.contains(where: { $0.hasPrefix(ContentStore.markPrefix) }) else {
            return false
        }
        do throws(ContentError) {
            _ = try FileStatus(
                of: ContentName.directory(ofShard: 0), in: descriptor.rawValue)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }
}
