internal import Glibc
package import Platform

/// A finished file, open for reading; it can be read to its end even after it was removed.
package struct OpenContent: ~Copyable, Sendable {
    /// The open file.
    package let descriptor: FileDescriptor
    /// The length of the file in bytes.
    package let length: Int64

    /// Gives up the descriptor; the caller closes it.
    package consuming func release() -> Int32 { descriptor.release() }
}
