// What a statement gave back, copied out of libpq.

/// The rows of a result.
package struct Rows: Sendable, RandomAccessCollection {
    /// The names of the columns, in order.
    package var columns: [String] { storage.names.all }
    /// How many rows the statement selected, inserted, updated or deleted.
    package var affected: Int { storage.affected }
    /// The first position, 0.
    package var startIndex: Int { 0 }
    /// The number of rows.
    package var endIndex: Int { storage.count }

    private let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// One row.
    package subscript(position: Int) -> Row {
        precondition(position >= 0 && position < storage.count, "no such row")
        return Row(storage: storage, index: position)
    }
}

extension Rows {
    /// The names of columns, copied in one piece: few results are asked for them.
    struct ColumnNames {
        /// Each name and a zero byte behind it.
        var bytes: [UInt8] = []

        var all: [String] {
            bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The bytes of all values, back to back.
    final class Storage: Sendable {
        let names: ColumnNames
        let types: [UInt32]
        let count: Int
        let affected: Int
        let bytes: [UInt8]
        /// Where each value ends in `bytes`, row by row; negative for NULL: -1 - end.
        let ends: [Int]

        init(
            names: ColumnNames, types: [UInt32], count: Int, affected: Int, bytes: [UInt8],
            ends: [Int]
        ) {
            self.names = names
            self.types = types
            self.count = count
            self.affected = affected
            self.bytes = bytes
            self.ends = ends
        }

        /// The place of a value's bytes; nil for NULL.
        func range(row: Int, column: Int) -> Range<Int>? {
            let place = row * types.count + column
            let end = ends[place]
            guard end >= 0 else { return nil }
            guard place > 0 else { return 0..<end }
            let before = ends[place - 1]
            return (before < 0 ? -1 - before : before)..<end
        }
    }
}

/// One row of a result.
package struct Row: Sendable {
    fileprivate let storage: Rows.Storage
    fileprivate let index: Int

    /// Reads a column by its place.
    ///
    /// - Parameters:
    ///   - column: the place, from 0.
    ///   - type: what to read; an optional where NULL may stand.
    /// - Returns: the value.
    /// - Throws: `decoding` when the column is absent, NULL or of another type.
    package func get<Value: ColumnValue>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
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
        return try get(column, as: type)
    }

    /// The bytes of a column of type jsonb or json; nil for NULL.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func json(_ column: Int) throws(PostgresError) -> ArraySlice<UInt8>? {
        guard storage.types.indices.contains(column) else {
            throw PostgresError(.decoding, "no column \(column) in \(storage.names.all)")
        }
        guard let range = storage.range(row: index, column: column) else { return nil }
        switch storage.types[column] {
        case TypeOID.json, TypeOID.text: return storage.bytes[range]
        // Behind the version; see jsonb_send in the server's jsonb.c.
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
