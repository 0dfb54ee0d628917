// What a statement gave back, copied out of libpq.

/// The rows of a result.
package struct Rows: Sendable, RandomAccessCollection {
    /// The names of the columns, in order.
    package var columns: [String] { storage.names.all }
    /// How many columns there are.
    package var columnCount: Int { storage.types.count }
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
