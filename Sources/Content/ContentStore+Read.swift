// Reading finished files, and removing them.
internal import Crypto
internal import Glibc
internal import Platform

extension ContentStore {
    /// Opens a finished file.
    ///
    /// - Parameter name: as published.
    /// - Returns: the open file and its length, which the caller compares with what it recorded.
    /// - Throws: `ContentError`: `notFound`, `ioError`.
    package func openForReading(_ name: ContentName) throws(ContentError) -> OpenContent {
        let descriptor = try directory.open(name.path, O_RDONLY, operation: "open content")
        let status = try FileStatus(of: descriptor.rawValue)
        guard status.isRegular else { throw ContentError(.ioError, "the content is not a file") }
        return OpenContent(descriptor: descriptor, length: status.length)
    }

    /// Computes the SHA-256 of a finished file, 64 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - name: as published.
    ///   - length: how long it is.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ContentError`: `notFound`, also for a shorter one; `ioError`.
    package func digest(of name: ContentName, length: Int64) throws(ContentError) -> String {
        let file = try openForReading(name)
        var hash = SHA256()
        try unsafe PartFile.read(file.descriptor.rawValue, from: 0, length: length) {
            piece throws(ContentError) in unsafe hash.update(piece)
        }
        return hash.finalizeText()
    }

    /// Removes a finished file; the caller removes its row from the database first.
    ///
    /// - Parameter name: as published.
    /// - Returns: false if there was no such file.
    /// - Throws: `ContentError`: `ioError`.
    @discardableResult
    package func delete(_ name: ContentName) throws(ContentError) -> Bool {
        try directory.remove(name.path)
    }

    /// The free bytes of the file system for processes without privileges.
    ///
    /// - Throws: `ContentError`: `ioError`.
    package func freeBytes() throws(ContentError) -> Int64 { try volume().free }
}
