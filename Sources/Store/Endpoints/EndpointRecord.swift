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

    static let columns = """
        w.endpoint_no, w.id, w.url, w.events, w.sessions, w.description, w.version, w.created_at,
        w.updated_at, w.disabled_at, w.disabled_reason, w.secret, w.request, w.sealed
        """

    init(_ row: Row) throws(PostgresError) {
        number = try row.get(0)
        id = try row.get(1, as: UUIDValue?.self)?.identifier
        disabledAt = try row.get(9, as: TimestampValue?.self)?.timestamp
        var spec = EndpointSpec(
            url: try row.get(2), events: try row.get(3, as: [String]?.self),
            sessions: try row.get(4, as: [String]?.self), description: try row.get(5),
            isEnabled: disabledAt == nil)
        if let request = try row.get(12, as: JSONText?.self) {
            guard let shape = RequestShape(stored: StoredJSON(Array(request.text.utf8)[...])) else {
                throw PostgresError(.decoding, "an endpoint holds what this program does not know")
            }
            spec.request = shape
        }
        self.spec = spec
        version = Int64(try row.get(6, as: Int32.self))
        createdAt = try row.get(7, as: TimestampValue.self).timestamp
        updatedAt = try row.get(8, as: TimestampValue.self).timestamp
        disabledReason = try row.get(10)
        secret = try row.get(11, as: [UInt8]?.self)
        sealed = try row.get(13, as: [UInt8]?.self)
    }
}
