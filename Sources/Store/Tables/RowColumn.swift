// Columns that are read by their names: a name is a case, and its raw value the column's place.
internal import Base
internal import Downloads
internal import Postgres

/// The columns of a statement, or of a function's result, in their order.
///
/// The SELECT list is made of the same cases, so that nothing counts places and nothing is looked
/// up while a row is read. A list is made once, in the constant that holds the statement.
protocol RowColumn: RawRepresentable, CaseIterable where RawValue == Int {
    /// The SQL that is selected; the name of the case in SQL's spelling, if nothing else is said.
    var sql: String { get }
}

extension RowColumn {
    /// The name in SQL's spelling, such as `next_at` for `nextAt` and `wake_id` for `wakeID`.
    var columnName: String { "\(self)".snakeCase }

    var sql: String { columnName }

    /// The SELECT list.
    static var list: String { allCases.map(\.sql).joined(separator: ", ") }

    /// The SELECT list of columns of one table, under the table's name in the statement.
    static func list(of table: String) -> String {
        allCases.map { table + "." + $0.sql }.joined(separator: ", ")
    }
}

extension Row {
    /// A column's value; an optional where NULL may stand.
    func get<Value: ColumnValue>(
        _ column: some RowColumn, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        try get(column.rawValue, as: type)
    }

    /// The columns behind those of a list.
    func behind<Column: RowColumn>(_ columns: Column.Type) -> Row {
        behind(columns.allCases.count)
    }

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

    func optionalBool(_ column: some RowColumn) throws(PostgresError) -> Bool? {
        try bool(column.rawValue)
    }

    func optionalIdentifier(_ column: some RowColumn) throws(PostgresError) -> Identifier? {
        try uuid(column.rawValue)?.identifier
    }

    /// An instant, nil for NULL.
    func instant(_ column: some RowColumn) throws(PostgresError) -> Timestamp? {
        try timestamp(column.rawValue)?.timestamp
    }

    /// An instant, nil for NULL and for the infinities.
    func finiteInstant(_ column: some RowColumn) throws(PostgresError) -> Timestamp? {
        guard let value = try timestamp(column.rawValue), value != .infinity,
            value != .negativeInfinity
        else { return nil }
        return value.timestamp
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
        guard let bytes = try json(column.rawValue) else { return nil }
        guard let value = Value(stored: StoredJSON(bytes)) else {
            throw PostgresError(.decoding, "column \(column) is not a value of \(Value.self)")
        }
        return value
    }

    /// An object of JSON in a column of type text or jsonb; NULL is an empty one.
    func object(_ column: some RowColumn) throws(PostgresError) -> JSONObject {
        guard let text = try text(column.rawValue) else { return JSONObject() }
        let value: JSON
        do throws(JSONError) {
            value = try JSON.parse(Array(text.utf8))
        } catch {
            throw PostgresError(.decoding, "column \(column): \(error)")
        }
        guard case .object(let object) = value else {
            throw PostgresError(.decoding, "column \(column) is not a JSON object")
        }
        return object
    }
}

/// The column of a statement that selects only one.
enum OnlyColumn: Int, RowColumn {
    case value
}
