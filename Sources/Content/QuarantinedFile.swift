// A file in the quarantine, with the hour in which it was moved there.

/// A file in the quarantine.
package struct QuarantinedFile: Hashable, Sendable {
    /// The file as it was listed in its shard.
    package let file: StoredFile
    /// The hour in which it was moved, counted from 1970 by the database's clock.
    package let hour: Int64

    var path: String { Quarantine.folder(ofHour: hour) + "/" + file.fileName }
}
