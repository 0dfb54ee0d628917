internal import Glibc
internal import Platform

/// A file in a place, or an object in one.
package struct StoredFile: Hashable, Sendable {
    /// The download and the attempt of the file.
    package let name: ContentName
    /// Whether the file is unfinished.
    package let isPart: Bool
    /// The length in bytes.
    package let length: Int64
    /// The time of the last write, in seconds since 1970 by the clock of the place.
    package let modifiedSeconds: Int64
    /// The hour in which it was moved into the quarantine, counted from 1970 by the database's
    /// clock; nil outside of it.
    package var restsSince: Int64?

    /// Creates a value with all its members.
    package init(
        name: ContentName, isPart: Bool, length: Int64, modifiedSeconds: Int64,
        restsSince: Int64? = nil
    ) {
        self.name = name
        self.isPart = isPart
        self.length = length
        self.modifiedSeconds = modifiedSeconds
        self.restsSince = restsSince
    }

    /// The file in the quarantine, or outside of it for nil.
    package func resting(since hour: Int64?) -> StoredFile {
        var file = self
        file.restsSince = hour
        return file
    }

    /// The name in its folder.
    var fileName: String { isPart ? "\(name).part" : name.description }

    /// The path below the content directory.
    var path: String {
        if let restsSince { return Quarantine.folder(ofHour: restsSince) + "/" + fileName }
        return isPart ? name.partPath : name.path
    }
}
