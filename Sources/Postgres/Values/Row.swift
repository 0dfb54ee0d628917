/// One row of a result.
package struct Row: Sendable {
    let storage: Rows.Storage
    let index: Int
    /// Where its columns begin among those of the result.
    private var first = 0

    init(storage: Rows.Storage, index: Int) {
        self.storage = storage
        self.index = index
    }

    /// The row without its first columns.
    package func behind(_ count: Int) -> Row {
        var rest = self
        rest.first += count
        return rest
    }

    /// Reads a row that has one column.
    ///
    /// - Parameter type: what to read; an optional where NULL may stand.
    /// - Returns: the value.
    /// - Throws: as `get`.
    package func only<Value: ColumnValue>(
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value { try get(0, as: type) }

    /// Reads a row that has few columns, in their order.
    ///
    ///     let (id, fence): (UUIDValue, Int64) = try row.values()
    ///
    /// - Returns: the values.
    /// - Throws: as `get`.
    package func values<each Value: ColumnValue>() throws(PostgresError) -> (repeat each Value) {
        var place = -1
        func next<Next: ColumnValue>(_ type: Next.Type) throws(PostgresError) -> Next {
            place += 1
            return try get(place, as: type)
        }
        return (repeat try next((each Value).self))
    }

    /// Reads a column by its index.
    ///
    /// - Parameters:
    ///   - column: the place, from 0.
    ///   - type: what to read; an optional where NULL may stand.
    /// - Returns: the value.
    /// - Throws: `decoding` when the column is absent, NULL or of another type.
    package func get<Value: ColumnValue>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        let column = first + column
        guard storage.types.indices.contains(column) else {
            throw PostgresError(.decoding, "no column \(column) in \(storage.names.all)")
        }
        guard let range = storage.range(row: index, column: column) else {
            if let null = Value.null { return null }
            throw PostgresError(.decoding, "column \(storage.names.all[column]) is NULL")
        }
        let bytes = storage.bytes
        let span = bytes.span
        do throws(PostgresError) {
            return try Value(binary: span.extracting(range), oid: storage.types[column])
        } catch {
            throw PostgresError(.decoding, "column \(storage.names.all[column]): \(error.message)")
        }
    }

    /// Reads a column by its name.
    ///
    /// - Parameters:
    ///   - name: the name; the first of several columns with the same name.
    ///   - type: what to read; an optional where NULL may stand.
    /// - Returns: the value.
    /// - Throws: `decoding` when the column is absent, NULL or of another type.
    /// - Complexity: O(columns).
    package func get<Value: ColumnValue>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let column = storage.names.all.firstIndex(of: name) else {
            throw PostgresError(.decoding, "no column \(name) in \(storage.names.all)")
        }
        return try get(column - first, as: type)
    }

    /// The bytes of a column of type jsonb or json; nil for NULL.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func json(_ column: Int) throws(PostgresError) -> ArraySlice<UInt8>? {
        let column = first + column
        guard storage.types.indices.contains(column) else {
            throw PostgresError(.decoding, "no column \(column) in \(storage.names.all)")
        }
        guard let range = storage.range(row: index, column: column) else { return nil }
        switch storage.types[column] {
        case TypeOID.json, TypeOID.text: return storage.bytes[range]
        // The text follows the version byte; see jsonb_send in the server's jsonb.c.
        case TypeOID.jsonb where storage.bytes[range].first == 1:
            return storage.bytes[range].dropFirst()
        case let oid: throw .unexpected(Row.self, oid: oid, length: range.count)
        }
    }

    /// Whether a column is NULL.
    ///
    /// - Throws: `decoding` when the column is absent.
    package func isNull(_ name: String) throws(PostgresError) -> Bool {
        guard let column = storage.names.all.firstIndex(of: name) else {
            throw PostgresError(.decoding, "no column \(name) in \(storage.names.all)")
        }
        return storage.range(row: index, column: column) == nil
    }
}
