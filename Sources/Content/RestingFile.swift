// A file of the quarantine, with the time since when it rests.

/// A file in the quarantine.
package struct RestingFile: Hashable, Sendable {
    /// The file as it lay in its shard.
    package let file: StoredFile
    /// The hour in which it was put there, counted from 1970 by the database's clock.
    package let hour: Int64

    var path: String { Quarantine.folder(ofHour: hour) + "/" + file.fileName }
}
