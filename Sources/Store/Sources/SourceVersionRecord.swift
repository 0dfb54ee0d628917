package import Base
internal import Postgres

/// A version of a source's file.
package struct SourceVersionRecord: Sendable {
    /// Its number, from 1 up.
    package let number: Int64
    /// The download that brought it.
    package let download: Identifier
    /// Its digest in hexadecimal digits.
    package let sha256: String
    /// Its length in bytes.
    package let length: Int64
    /// The time at which it was seen first.
    package let seenAt: Timestamp

    init(_ row: Row) throws(PostgresError) {
        typealias Column = VersionColumn
        number = try row.integer(Column.versionNo)
        download = try row.identifier(Column.downloadID)
        sha256 = try row.text(Column.sha256)
        length = try row.integer(Column.length)
        seenAt = try row.requiredInstant(Column.seenAt)
    }
}
