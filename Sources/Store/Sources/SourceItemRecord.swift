package import Base
internal import Postgres

/// An item of a feed as the store holds it.
package struct SourceItemRecord: Sendable {
    /// Its number, which rises.
    package let number: Int64
    /// Its key.
    package let key: String
    /// Its title.
    package let title: String
    /// The address of its file.
    package let url: String
    /// When it was published; nil if the feed does not say.
    package let publishedAt: Timestamp?
    /// The time at which it was seen first.
    package let seenAt: Timestamp
    /// Its download; nil if it is known without one.
    package let download: Identifier?

    init(_ row: Row) throws(PostgresError) {
        typealias Column = ItemColumn
        number = try row.integer(Column.itemNo)
        key = try row.text(Column.key)
        title = try row.text(Column.title)
        url = try row.text(Column.url)
        publishedAt = try row.instant(Column.publishedAt)
        seenAt = try row.requiredInstant(Column.seenAt)
        download = try row.optionalIdentifier(Column.downloadID)
    }
}
