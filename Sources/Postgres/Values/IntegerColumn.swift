// The integers of the server.

/// An integer type with a column type of the same size.
package protocol IntegerColumn: ColumnValue, FixedWidthInteger {}

extension IntegerColumn {
    /// Appends the bytes, the most significant first.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: self)
        return true
    }

    /// Reads any integer that fits.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = try .integer(binary, oid: oid)
    }
}
