// JSON that the server parses and this program does not.

/// The text of a JSON value for a column of type jsonb.
package struct JSONText: Sendable, Hashable {
    /// The JSON in UTF-8.
    package let bytes: [UInt8]

    /// The JSON.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Creates a value from JSON text, which the server checks (22P02).
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Creates a value from the UTF-8 of JSON text.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension JSONText: ColumnValue {
    /// jsonb.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.jsonb, arrayOID: 3807) }

    /// Appends the version 1 and the text; see jsonb_send in the server's jsonb.c.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(1)
        bytes.append(contentsOf: self.bytes)
        return true
    }

    /// Reads jsonb or json.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        guard oid == TypeOID.jsonb || oid == TypeOID.json else {
            throw .unexpected(JSONText.self, oid: oid, length: binary.count)
        }
        self.init(try String(binary: binary, oid: oid))
    }
}
