internal import Glibc
internal import Platform

/// A file in the content directory.
package struct StoredFile: Hashable, Sendable {
    /// The download and the attempt of the file.
    package let name: ContentName
    /// Whether the file is unfinished.
    package let isPart: Bool
    /// The length in bytes.
    package let length: Int64
    /// The time of the last write, in seconds since 1970 by this machine's clock.
    package let modifiedSeconds: Int64

    /// The name in the folder of the shard.
    var fileName: String { isPart ? "\(name).part" : name.description }

    var path: String { isPart ? name.partPath : name.path }
}
