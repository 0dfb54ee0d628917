// Creating the file of an attempt, or taking over that of an earlier attempt.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Creates the empty file of a new attempt.
    ///
    /// - Parameter name: the download and the attempt.
    /// - Returns: the file, open for writing.
    /// - Throws: `ContentError`: `alreadyExists`, `noSpace`, `ioError`.
    package func create(_ name: ContentName) throws(ContentError) -> PartFile {
        try expectOwnFolder()
        let path = name.partPath
        let descriptor = try directory.open(
            path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open part")
        return PartFile(name: name, at: path, in: directory, owning: descriptor)
    }

    /// Creates the file of a new attempt with the first bytes of another download's unfinished
    /// file.
    ///
    /// The caller checks, before and after, that the other file has the expected bytes.
    ///
    /// - Parameters:
    ///   - other: the other download's attempt.
    ///   - name: the new attempt.
    ///   - length: how many bytes.
    /// - Returns: the file, open for writing, with its bytes durable.
    /// - Throws: `ContentError`: `notFound` if the other file is not there or is shorter, else
    ///   `alreadyExists`, `noSpace`, `ioError`.
    package func copy(
        _ other: ContentName, as name: ContentName, length: Int64
    ) throws(ContentError) -> PartFile {
        let source = try directory.open(other.partPath, O_RDONLY, operation: "open part")
        return try copy(source, as: name, length: length)
    }

    /// Creates an unfinished file with the bytes of an open file, durable.
    func copy(
        _ source: borrowing FileDescriptor, as name: ContentName, length: Int64
    ) throws(ContentError) -> PartFile {
        let part = try create(name)
        do throws(ContentError) {
            var offset: Int64 = 0
            try unsafe PartFile.read(source.rawValue, from: 0, length: length) {
                piece throws(ContentError) in
                try part.write(unsafe Array(piece), at: offset)
                offset += Int64(piece.count)
            }
            try part.checkpoint()
            return part
        } catch {
            try part.discard()
            throw error
        }
    }

    /// Removes the unfinished file of an attempt that has ended.
    ///
    /// - Parameter name: the download and the attempt.
    /// - Returns: whether it was there.
    /// - Throws: `ContentError`: `ioError`.
    @discardableResult
    package func deletePart(_ name: ContentName) throws(ContentError) -> Bool {
        directory.openPart(name)?.close()
        return try directory.remove(name.partPath)
    }

    /// Takes over the unfinished file of an earlier attempt of the same download.
    ///
    /// If an earlier attempt in this process has the file open, it loses it first; other processes
    /// cannot have it open because of the lock.
    ///
    /// - Parameters:
    ///   - previous: the earlier attempt.
    ///   - name: the new attempt of the same download.
    ///   - length: the durable length that the store recorded; bytes beyond are truncated.
    /// - Returns: the file, open for writing.
    /// - Throws: `ContentError`: `notFound` when there is no such file or it is shorter (it is
    ///   removed then): begin anew. Else `alreadyExists`, `ioError`.
    package func adopt(
        _ previous: ContentName, as name: ContentName, length: Int64
    ) throws(ContentError) -> PartFile {
        precondition(previous.id == name.id, "a file stays with its download")
        precondition(previous.fence < name.fence, "a fence only grows")
        directory.openPart(previous)?.close()
        let descriptor = try directory.open(previous.partPath, O_RDWR, operation: "open part")
        let status = try FileStatus(of: descriptor.rawValue)
        guard status.isRegular, status.length >= length else {
            try directory.remove(previous.partPath)
            throw ContentError(
                .notFound, "the part file is shorter than the length that was synced")
        }
        try attempt("ftruncate") { ftruncate(descriptor.rawValue, off_t(length)) }
        let path = name.partPath
        try directory.rename(previous.partPath, to: path)
        return PartFile(name: name, at: path, in: directory, owning: descriptor)
    }
}
