// A finished file that is open for reading.
internal import Crypto
package import Platform

/// A finished file, open for reading; it can be read to its end even after it was removed.
package final class OpenContent: Sendable {
    /// The open file, closed with the last reference to this object.
    package let descriptor: FileDescriptor
    /// The length of the file in bytes.
    package let length: Int64

    /// Takes ownership of an open file.
    package init(owning descriptor: consuming FileDescriptor, length: Int64) {
        self.descriptor = descriptor
        self.length = length
    }

    /// Computes the SHA-256 of the file.
    ///
    /// - Parameter length: how long it is.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `ContentError`: `notFound` for a shorter file; `ioError`.
    package func digest(length: Int64) throws(ContentError) -> String {
        var hash = SHA256()
        try unsafe PartFile.read(descriptor.rawValue, from: 0, length: length) {
            piece throws(ContentError) in unsafe hash.update(piece)
        }
        return hash.finalizeText()
    }
}
