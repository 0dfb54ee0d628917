// The volume of the files: its free space, its health, and whether it is the one that this data
// directory used before.
internal import CPlatform
internal import Downloads
internal import Glibc
internal import Platform
internal import Synchronization

extension ContentStore {
    /// The size and free space of the volume now; see fstatvfs(3).
    ///
    /// - Throws: `ContentError`: `ioError`, also where `content/` is not this data directory's.
    package func volume() throws(ContentError) -> Volume {
        try expectOwnFolder()
        return try Volume(of: directory.descriptor.rawValue)
    }

    /// Allocates space for a file, unless too little would stay free.
    ///
    /// - Parameters:
    ///   - bytes: how long the file will be.
    ///   - part: the file.
    ///   - written: how much of it is there.
    ///   - reserve: how much has to stay free, of the volume as it is.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func preallocate(
        bytes: Int64, for part: PartFile, written: Int64, leaving reserve: (Volume) -> Int64
    ) throws(ContentError) {
        let volume = try volume()
        guard volume.free - max(0, bytes - written) >= reserve(volume) else {
            throw ContentError(.noSpace, "less than LULL_MIN_FREE_BYTES would stay free")
        }
        try part.preallocate(bytes: bytes)
    }

    /// The error of a failing disk; nil while it works.
    package var trouble: String? { directory.health.trouble }

    /// Writes, syncs and removes a small file; success ends the disk's trouble.
    ///
    /// - Throws: `ContentError`: the disk still does not work.
    package func probe() throws(ContentError) {
        let name = "probe"
        try expectOwnFolder()
        try directory.remove(name)
        let file = try directory.open(
            name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open probe")
        let bytes = [UInt8](repeating: 0x4c, count: 4096)
        let count = try attempt("write probe") {
            unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(file.rawValue, $0.baseAddress, $0.count)
            }
        }
        guard count == bytes.count else { throw ContentError("write probe", .noSpace) }
        try attemptOnce("fdatasync of probe") { fdatasync(file.rawValue) }
        try directory.remove(name)
        directory.health.recover()
    }
}

extension ContentStore {
    /// The prefix of the name of a folder's mark.
    static let markPrefix = "instance-"

    /// The message for people when nothing is written to `content/`.
    private static let foreign =
        "the folder content is not the one of this data directory: mount its volume, or run lull "
        + "replicas accept-loss"

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

    /// Checks that `content/` belongs to this data directory, and opens it again if it did not.
    ///
    /// - Throws: `ContentError`: `ioError`; nothing may be written then.
    func expectOwnFolder() throws(ContentError) {
        if directory.isOwn.load(ordering: .relaxed) {
            if try isOwn(directory) { return }
            directory.isOwn.store(false, ordering: .relaxed)
        }
        // The old descriptor does not show a volume that was mounted meanwhile.
        let folder = try openFolder()
        guard try isOwn(folder) else { throw ContentError(.ioError, ContentStore.foreign) }
        try attempt("dup3") {
            lull_dup3(folder.descriptor.rawValue, directory.descriptor.rawValue)
        }
        directory.isOwn.store(true, ordering: .relaxed)
    }

    /// Opens `content/` again by its path.
    private func openFolder() throws(ContentError) -> ContentDirectory {
        do throws(ContentError) {
            return ContentDirectory(
                owning: try data.open("content", O_RDONLY | O_DIRECTORY, operation: "open content"))
        } catch {
            guard error.code == .notFound else { throw error }
            throw ContentError(.ioError, ContentStore.foreign)
        }
    }

    /// Takes the folder at the path of `content/` as this data directory's, and gives up the files
    /// of the former one.
    ///
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    func adoptFolder() throws(ContentError) {
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
    /// - Returns: whether it is there; one with a second name, which somebody may have edited in a
    ///   folder, is there with any length.
    func presence(
        of name: ContentName, length: Int64
    ) -> MissingFiles.Presence {
        guard directory.isOwn.load(ordering: .relaxed) else { return .unreadable }
        do throws(ContentError) {
            let found = try FileStatus(of: name.path, in: directory.descriptor.rawValue)
            guard found.isRegular else { return .missing }
            return found.length == length || found.names > 1 ? .there : .missing
        } catch {
            guard error.code == .notFound else { return .unreadable }
        }
        do throws(ContentError) {
            // A missing shard or mark means that the whole folder is another one.
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
    /// Whether the folder has shards but no mark, so that it was made before folders had marks.
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
