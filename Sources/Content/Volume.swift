internal import CPlatform
internal import Glibc
internal import Platform

/// The size and the room of a file system; see fstatvfs(3).
package struct Volume: Equatable, Sendable {
    /// Bytes that processes without privileges may still take; 0 also when no file can be made.
    package let free: Int64
    /// Bytes that it has in all.
    package let total: Int64
}
