// Columns of a statement that are read by their names: a name is a case, a place its raw value.
internal import Base
internal import Downloads
internal import Postgres

/// The columns of a statement in their order.
///
/// The select list is made of the same cases, so that no index is counted by hand and nothing is
/// looked up while a row is read.
protocol RowColumn: RawRepresentable, CaseIterable where RawValue == Int {
    /// The SQL expression of the column.
    var sql: String { get }
}

extension RowColumn {
    /// The select list, in order.
    static var list: String { allCases.map(\.sql).joined(separator: ", ") }
}

extension Row {
    func optionalInteger(_ column: some RowColumn) throws(PostgresError) -> Int64? {
        try integer(column.rawValue)
    }

    func integer(_ column: some RowColumn) throws(PostgresError) -> Int64 {
        try required(try integer(column.rawValue), column)
    }

    func bool(_ column: some RowColumn) throws(PostgresError) -> Bool {
        try required(try bool(column.rawValue), column)
    }

    func double(_ column: some RowColumn) throws(PostgresError) -> Double {
        try required(try double(column.rawValue), column)
    }

    func text(_ column: some RowColumn) throws(PostgresError) -> String {
        try required(try text(column.rawValue), column)
    }

    func identifier(_ column: some RowColumn) throws(PostgresError) -> Identifier {
        try required(try uuid(column.rawValue), column).identifier
    }

    /// An instant, nil for NULL.
    func instant(_ column: some RowColumn) throws(PostgresError) -> Timestamp? {
        try timestamp(column.rawValue)?.timestamp
    }

    func requiredInstant(_ column: some RowColumn) throws(PostgresError) -> Timestamp {
        try required(try instant(column), column)
    }

    private func required<Value>(
        _ value: Value?, _ column: some RowColumn
    ) throws(PostgresError) -> Value {
        guard let value else { throw PostgresError(.decoding, "column \(column) is NULL") }
        return value
    }

    /// A value of a column of type jsonb, nil for NULL.
    ///
    /// - Throws: `decoding` for JSON that is something else.
    func stored<Value: MemberValue>(
        _ column: some RowColumn, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        try stored(column.rawValue, as: type)
    }

    /// A value of a column of type jsonb, nil for NULL.
    ///
    /// - Throws: `decoding` for JSON that is something else.
    func stored<Value: MemberValue>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        guard let bytes = try json(column) else { return nil }
        guard let value = Value(stored: StoredJSON(bytes)) else {
            throw PostgresError(.decoding, "column \(column) holds no \(Value.self)")
        }
        return value
    }
}
