package import Base
package import Downloads
internal import Postgres

/// An endpoint as its row has it.
package struct EndpointRecord: Sendable {
    /// The row's number.
    package let number: Int64
    /// The identifier; nil for the app's `default`.
    package let id: Identifier?
    /// The members that its client set.
    package let spec: EndpointSpec
    /// Rises with every change.
    package let version: Int64
    /// The time at which it was created.
    package let createdAt: Timestamp
    /// The time at which it changed last.
    package let updatedAt: Timestamp
    /// The time since which nothing is sent; nil while it is enabled.
    package let disabledAt: Timestamp?
    /// The reason for that: `client`, `gone` or `failing`.
    package let disabledReason: String?
    /// The sealed secret; nil for a `default` that has none of its own.
    package let secret: [UInt8]?
    /// The sealed headers and credentials; nil for none.
    package let sealed: [UInt8]?

    static let columns = EndpointColumn.list

    init(_ row: Row) throws(PostgresError) {
        typealias Column = EndpointColumn
        number = try row.integer(Column.endpointNo)
        id = try row.optionalIdentifier(Column.id)
        disabledAt = try row.instant(Column.disabledAt)
        var spec = EndpointSpec(
            url: try row.get(Column.url), events: try row.get(Column.events),
            sessions: try row.get(Column.sessions), description: try row.get(Column.description),
            isEnabled: disabledAt == nil)
        guard let format = NoticeFormat(rawValue: try row.text(Column.format)) else {
            throw PostgresError(
                .decoding, "an endpoint has a format that this version of lull does not know")
        }
        spec.format = format
        if let request = try row.get(Column.request, as: JSONText?.self) {
            guard let shape = RequestShape(stored: StoredJSON(Array(request.text.utf8)[...])) else {
                throw PostgresError(
                    .decoding, "an endpoint has a value that this version of lull does not know")
            }
            spec.request = shape
        }
        self.spec = spec
        version = try row.integer(Column.version)
        createdAt = try row.requiredInstant(Column.createdAt)
        updatedAt = try row.requiredInstant(Column.updatedAt)
        disabledReason = try row.get(Column.disabledReason)
        secret = try row.get(Column.secret)
        sealed = try row.get(Column.sealed)
    }
}
