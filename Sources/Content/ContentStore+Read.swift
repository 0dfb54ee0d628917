// Reading finished files, taking them away, and room on the disk.
internal import CPlatform
internal import Glibc
package import Platform

/// A finished file, open for reading; it can be read to its end also after it was removed.
package struct OpenContent: ~Copyable, Sendable {
    /// The open file.
    package let descriptor: FileDescriptor
    /// Its length in bytes.
    package let length: Int64

    /// Gives the descriptor away to somebody who closes it.
    package consuming func release() -> Int32 { descriptor.release() }
}

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

    /// Removes a finished file; forget it in the database first.
    ///
    /// - Parameter name: as published.
    /// - Returns: false if there was no such file.
    /// - Throws: `ContentError`: `ioError`.
    @discardableResult
    package func delete(_ name: ContentName) throws(ContentError) -> Bool {
        try directory.remove(name.path)
    }

    /// How many bytes are free on the file system for processes without privileges.
    ///
    /// - Throws: `ContentError`: `ioError`.
    package func freeBytes() throws(ContentError) -> Int64 {
        var status = CPlatform.statvfs()
        try attempt("fstatvfs") { unsafe fstatvfs(directory.descriptor.rawValue, &status) }
        let (bytes, overflowed) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return overflowed ? .max : Int64(clamping: bytes)
    }
}
