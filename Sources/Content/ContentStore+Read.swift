// Reading finished files, and removing them.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Opens a finished file.
    ///
    /// - Parameter name: as published.
    /// - Returns: the open file and its length, which the caller compares with what it recorded.
    /// - Throws: `ContentError`: `notFound`, `ioError`.
    func openForReading(_ name: ContentName) throws(ContentError) -> OpenContent {
        let descriptor = try directory.open(name.path, O_RDONLY, operation: "open content")
        let status = try FileStatus(of: descriptor.rawValue)
        guard status.isRegular else { throw ContentError(.ioError, "the content is not a file") }
        return OpenContent(owning: descriptor, length: status.length)
    }

    /// Makes a file and its name durable again, because the call that did so may have been lost.
    func syncPublished(_ name: ContentName, _ file: OpenContent) throws(ContentError) {
        try directory.health.watch { () throws(ContentError) in
            try attemptOnce("fdatasync") { fdatasync(file.descriptor.rawValue) }
        }
        try directory.syncShard(name.shard)
    }

    /// Removes a finished file; the caller removes its row from the database first.
    ///
    /// - Parameter name: as published.
    /// - Returns: false if there was no such file.
    /// - Throws: `ContentError`: `ioError`.
    @discardableResult
    func delete(_ name: ContentName) throws(ContentError) -> Bool {
        try directory.remove(name.path)
    }

    /// The free bytes of the file system for processes without privileges.
    ///
    /// - Throws: `ContentError`: `ioError`.
    package func freeBytes() throws(ContentError) -> Int64 { try volume().free }
}
