// The files of uploads.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Makes the file of an upload, or opens the one that is there, and reserves its space.
    ///
    /// - Parameters:
    ///   - name: the upload, with fence 0.
    ///   - length: that of the whole, in bytes.
    ///   - isNew: whether the file must not be there yet.
    ///   - reserve: how much has to stay free, of the volume as it is.
    /// - Returns: the file.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `alreadyExists`; a file that was made is
    ///   removed again.
    package func stage(
        _ name: ContentName, length: Int64, isNew: Bool, leaving reserve: (Volume) -> Int64
    ) throws(ContentError) -> StagingFile {
        let file: StagingFile
        do throws(ContentError) {
            file = try StagingFile(try create(name))
        } catch {
            guard error.code == .alreadyExists, !isNew else { throw error }
            return try StagingFile(try reopen(name))
        }
        do throws(ContentError) {
            try file.reserve(length, in: self, leaving: reserve)
            try directory.syncShard(name.shard)
            return file
        } catch {
            try file.discard()
            throw error
        }
    }

    /// Reserves space anew for a file whose bytes were removed.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - length: that of the whole, in bytes.
    ///   - reserve: how much has to stay free, of the volume as it is.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func reserve(
        _ file: StagingFile, length: Int64, leaving reserve: (Volume) -> Int64
    ) throws(ContentError) {
        try file.reserve(length, in: self, leaving: reserve)
    }

    /// Makes a file without a name for the bytes of one request.
    ///
    /// - Parameter name: one that no download or upload has.
    /// - Returns: the file.
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    package func chunk(_ name: ContentName) throws(ContentError) -> ChunkFile {
        try expectOwnFolder()
        let descriptor = try directory.open(
            name.partPath, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open chunk")
        try directory.remove(name.partPath)
        return ChunkFile(owning: descriptor)
    }

    /// Opens the part file of a name for writing.
    private func reopen(_ name: ContentName) throws(ContentError) -> PartFile {
        try expectOwnFolder()
        directory.openPart(name)?.close()
        let path = name.partPath
        let descriptor = try directory.open(path, O_RDWR, operation: "open part")
        guard try FileStatus(of: descriptor.rawValue).isRegular else {
            throw ContentError(.ioError, "the staged bytes are not a file")
        }
        return PartFile(name: name, at: path, in: directory, owning: descriptor)
    }
}
