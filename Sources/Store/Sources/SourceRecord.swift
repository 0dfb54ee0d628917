package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// A source as the store holds it.
package struct SourceRecord: Sendable {
    /// Its number, for other tables.
    package let number: Int64
    /// The subject of its events.
    package let id: Identifier
    /// The app that owns it.
    package let app: Int64
    /// The name of that app.
    package let appName: String
    /// The client's name for it.
    package let identifier: String
    /// Rises with every change of the document.
    package let version: Int64
    /// The document, without values of secrets.
    package let spec: SourceSpec
    /// The template with its secrets, sealed; nil without secrets.
    package let sealed: [UInt8]?
    /// The state of its looks.
    package var timetable: SourceTimetable
    /// What it knows of its file.
    package var known: SourceKnowledge
    /// Rises with each change of the two above.
    package let step: Int64
    /// The time at which it was created.
    package let createdAt: Timestamp
    /// The time at which the document or the state last changed.
    package let updatedAt: Timestamp
    /// The database's clock when it was read.
    package let readAt: Timestamp

    /// Its schedule.
    package var schedule: SourceTimetable.Schedule {
        timetable.schedule(of: spec, identifier)
    }

    /// Reads a source.
    ///
    /// - Parameters:
    ///   - row: the columns of `SourceColumn`.
    ///   - zone: the rules of a time zone.
    /// - Throws: `decoding`.
    init(_ row: Row, zone: (String) -> TimeZoneRules?) throws(PostgresError) {
        typealias Column = SourceColumn
        number = try row.integer(Column.sourceNo)
        id = try row.identifier(Column.id)
        app = try row.integer(Column.appNo)
        appName = try row.get(Column.app, as: String?.self) ?? ""
        identifier = try row.text(Column.identifier)
        version = try row.integer(Column.version)
        guard let spec = SourceSpec(stored: try row.object(Column.spec), zone: zone),
            var timetable = try row.stored(Column.timetable, as: SourceTimetable.self),
            let known = try row.stored(Column.known, as: SourceKnowledge.self)
        else {
            throw PostgresError(
                .decoding, "a source has a value that this version of lull does not know")
        }
        timetable.running?.hasBegun = try row.bool(Column.hasBegun)
        timetable.running?.hasFailed = try row.bool(Column.hasFailed)
        (self.spec, self.timetable, self.known) = (spec, timetable, known)
        sealed = try row.get(Column.sealed)
        step = try row.integer(Column.step)
        createdAt = try row.requiredInstant(Column.createdAt)
        updatedAt = try row.requiredInstant(Column.updatedAt)
        readAt = try row.requiredInstant(Column.now)
    }
}
