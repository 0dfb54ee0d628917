package import Base
internal import Postgres
package import Scheduling

/// A look of a source, or adjacent instants without one.
package struct LookRecord: Sendable {
    /// Its number, which rises.
    package let number: Int64
    /// The instant that it is for, or the first of the skipped ones.
    package let dueAt: Timestamp
    /// The last of the skipped instants; that of the look for a look.
    package let lastDueAt: Timestamp
    /// The number of instants.
    package let count: Int64
    /// The outcome; nil while it has not ended.
    package let outcome: LookOutcome?
    /// The reason of a look that was skipped, failed or canceled.
    package let reason: String?
    /// Its download; nil if none was created.
    package let download: Identifier?
    /// The time at which it began.
    package let begunAt: Timestamp?
    /// The time at which it ended.
    package let endedAt: Timestamp?
    /// Whether a client or a trigger asked for it.
    package let isAsked: Bool
    /// Whether it sends no validators.
    package let isFull: Bool
    /// The place of the fault in a feed that could not be read.
    package let detail: String?
    /// The number of items of a feed that it queued; nil for a file, and before its end.
    package let items: Int64?

    init(_ row: Row) throws(PostgresError) {
        typealias Column = LookColumn
        number = try row.integer(Column.lookNo)
        dueAt = try row.requiredInstant(Column.dueAt)
        lastDueAt = try row.requiredInstant(Column.lastDueAt)
        count = try row.integer(Column.count)
        outcome = try row.optionalInteger(Column.outcome)
            .flatMap { LookOutcome(rawValue: Int16(clamping: $0)) }
        reason = try row.get(Column.reason)
        download = try row.optionalIdentifier(Column.downloadID)
        begunAt = try row.instant(Column.begunAt)
        endedAt = try row.instant(Column.endedAt)
        isAsked = try row.bool(Column.isAsked)
        isFull = try row.bool(Column.isFull)
        detail = try row.get(Column.detail)
        items = try row.optionalInteger(Column.items)
    }
}
