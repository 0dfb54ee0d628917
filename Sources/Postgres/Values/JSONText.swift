// JSON that the server parses and this program does not.

/// The text of a JSON value for a column of type jsonb.
package struct JSONText: Sendable, Hashable {
    /// The JSON.
    package let text: String

    /// Wraps JSON text, which the server checks (22P02).
    package init(_ text: String) { self.text = text }
}

extension JSONText: ColumnValue {
    /// jsonb.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.jsonb, arrayOID: 3807) }

    /// The version 1 and the text; see jsonb_send in the server's jsonb.c.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(1)
        return text.encode(into: &bytes)
    }

    /// Reads jsonb or json.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        guard oid == TypeOID.jsonb || oid == TypeOID.json else {
            throw .unexpected(JSONText.self, oid: oid, length: binary.count)
        }
        self.init(try String(binary: binary, oid: oid))
    }
}
