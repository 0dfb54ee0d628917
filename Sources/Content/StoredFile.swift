internal import Glibc
internal import Platform

/// A file in the content directory.
package struct StoredFile: Hashable, Sendable {
    /// The download and the attempt.
    package let name: ContentName
    /// Whether it is unfinished.
    package let isPart: Bool
    /// Its length in bytes.
    package let length: Int64
    /// When it was last written, in seconds since 1970 by this machine's clock.
    package let modifiedSeconds: Int64

    /// Its name in the folder of its shard.
    var fileName: String { isPart ? "\(name).part" : name.description }

    var path: String { isPart ? name.partPath : name.path }
}
