// Conversions between values of Base and of the database.
package import Base
package import Postgres

extension UUIDValue {
    /// The identifier's bits.
    package init(_ identifier: Identifier) {
        self.init(high: identifier.high, low: identifier.low)
    }

    /// The bits as an identifier.
    package var identifier: Identifier { Identifier(high: high, low: low) }
}

extension TimestampValue {
    /// The instant.
    package init(_ timestamp: Timestamp) { self.init(microseconds: timestamp.microseconds) }

    /// The value as an instant; infinities are the ends of the range.
    package var timestamp: Timestamp { Timestamp(microseconds: microseconds) }
}

extension Identifier: ColumnValue {
    /// uuid.
    package static var columnType: ColumnType { UUIDValue.columnType }

    /// Sixteen bytes.
    package func encode(into bytes: inout [UInt8]) -> Bool { UUIDValue(self).encode(into: &bytes) }

    /// An array of uuid; not generic, as batches are large.
    package static func encode(elements: [Identifier], into bytes: inout [UInt8]) {
        UUIDValue.encode(elements: elements.map { UUIDValue($0) }, into: &bytes)
    }

    /// The column of optional values, with NULL for nil.
    package static func encode(optionals: [Identifier?], into bytes: inout [UInt8]) {
        UUIDValue.encode(optionals: optionals.map { $0.map { UUIDValue($0) } }, into: &bytes)
    }

    /// Reads a uuid.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = try UUIDValue(binary: binary, oid: oid).identifier
    }
}

extension Timestamp: ColumnValue {
    /// timestamptz.
    package static var columnType: ColumnType { TimestampValue.columnType }

    /// Eight bytes.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        TimestampValue(self).encode(into: &bytes)
    }

    /// An array of timestamptz; not generic, as batches are large.
    package static func encode(elements: [Timestamp], into bytes: inout [UInt8]) {
        TimestampValue.encode(elements: elements.map { TimestampValue($0) }, into: &bytes)
    }

    /// The column of optional values, with NULL for nil.
    package static func encode(optionals: [Timestamp?], into bytes: inout [UInt8]) {
        TimestampValue.encode(
            optionals: optionals.map { $0.map { TimestampValue($0) } }, into: &bytes)
    }

    /// Reads timestamptz; infinities are the ends of the range.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = try TimestampValue(binary: binary, oid: oid).timestamp
    }
}
