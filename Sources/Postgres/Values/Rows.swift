// The rows of a result, copied out of libpq.

/// The rows of a result.
package struct Rows: Sendable, RandomAccessCollection {
    /// The names of the columns, in order.
    package var columns: [String] { storage.names.all }
    /// The number of columns.
    package var columnCount: Int { storage.types.count }
    /// The number of rows that the statement selected, inserted, updated or deleted.
    package var affected: Int { storage.affected }
    /// The first position, 0.
    package var startIndex: Int { 0 }
    /// The number of rows.
    package var endIndex: Int { storage.count }

    private let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// The row at a position.
    package subscript(position: Int) -> Row {
        precondition(position >= 0 && position < storage.count, "no such row")
        return Row(storage: storage, index: position)
    }

    /// Reads rows that have one column.
    ///
    /// - Parameter type: what to read; an optional where NULL may stand.
    /// - Returns: the values.
    /// - Throws: as `Row.get`.
    package func column<Value: ColumnValue>(
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.only(as: type) }
    }
}

extension Rows {
    /// The names of the columns, copied as one block of bytes: few results are asked for them.
    struct ColumnNames {
        /// The names, each followed by a zero byte.
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
        /// The end of each value in `bytes`, row by row; for NULL the negative number -1 - end.
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

        /// The range of a value's bytes; nil for NULL.
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
