// Finding and removing files that no row names.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Lists the files of one shard, in no order; names that this program does not make are left
    /// out.
    ///
    /// - Parameter shard: 0 to 255.
    /// - Returns: the files that were there; some may be gone by now.
    /// - Throws: `ContentError`: `ioError`, `notFound` when the shard is missing.
    func files(inShard shard: UInt8) throws(ContentError) -> [StoredFile] {
        let shardDirectory = try directory.open(
            ContentName.directory(ofShard: shard), O_RDONLY | O_DIRECTORY, operation: "open shard")
        return try ContentDirectory.files(in: shardDirectory) { $0.shard == shard }
    }

    /// Removes a listed file, unless an attempt in this process is writing it.
    ///
    /// - Parameter file: as `files(inShard:)` gave it.
    /// - Returns: whether a file was removed.
    /// - Throws: `ContentError`: `ioError`.
    @discardableResult
    func remove(_ file: StoredFile) throws(ContentError) -> Bool {
        if file.isPart, directory.openPart(file.name) != nil { return false }
        return try directory.remove(file.path)
    }

    /// Removes all files that no row refers to.
    ///
    /// - Parameter isReferenced: whether a row names the file, or it is too young to judge.
    /// - Returns: what was removed.
    /// - Throws: `ContentError`: `ioError`; what was removed before stays removed.
    func sweep(
        isReferenced: (StoredFile) -> Bool
    ) throws(ContentError) -> [StoredFile] {
        var removed: [StoredFile] = []
        for shard in UInt8.min...UInt8.max {
            for file in try files(inShard: shard) where !isReferenced(file) {
                if try remove(file) { removed.append(file) }
            }
        }
        return removed
    }

}

extension ContentDirectory {
    /// Lists the files in an open folder whose names this program makes.
    static func files(
        in folder: borrowing FileDescriptor, where belongs: (ContentName) -> Bool
    ) throws(ContentError) -> [StoredFile] {
        var files: [StoredFile] = []
        for fileName in try fileNames(in: folder.rawValue) {
            guard let (name, isPart) = ContentName.parse(fileName: fileName), belongs(name)
            else { continue }
            do {
                let status = try FileStatus(of: fileName, in: folder.rawValue)
                files.append(
                    StoredFile(
                        name: name, isPart: isPart, length: status.length,
                        modifiedSeconds: status.modifiedSeconds))
            } catch {
                // The file was renamed or removed after the directory was read.
                guard error.code == .notFound else { throw error }
            }
        }
        return files
    }

    /// Lists the names in a directory, in no order.
    static func fileNames(in directory: Int32) throws(ContentError) -> [String] {
        // fdopendir(3) takes ownership of its descriptor, so it gets a duplicate.
        let own = try attempt("dup") { fcntl(directory, F_DUPFD_CLOEXEC, 0) }
        guard let stream = unsafe fdopendir(own) else {
            let failure = Errno.current
            _ = FileDescriptor(owning: own)
            throw ContentError("fdopendir", failure)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw ContentError("readdir", Errno.current) }
                return names
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }
}
