// The parameters of a statement by their names: a list gives the numbers in the SQL and the values.
internal import Postgres

/// The parameters of a statement, each named once.
///
/// The SQL takes them as `rows`, as `records`, as one `row` or as `arguments`, and knows them by
/// their names; the values come in the same order, so that nobody counts them.
///
///     static let given: Parameters<[LaneLoad]> = [
///         "lane_no": { $0.map(\.lane) },
///         "waiting": { $0.map(\.waiting) },
///     ]
///     "INSERT INTO lane_loads (\(given.names)) SELECT * FROM \(given.rows())"
struct Parameters<Source>: ExpressibleByDictionaryLiteral, Sendable {
    typealias Value = @Sendable (Source) -> any ColumnValue

    private let list: [(name: String, value: Value)]

    init(dictionaryLiteral elements: (String, Value)...) {
        list = elements.map { (name: $0, value: $1) }
    }

    private init(_ list: [(name: String, value: Value)]) { self.list = list }

    var count: Int { list.count }

    /// A parameter's number in the SQL, such as `$3`.
    subscript(name: String) -> String {
        guard let place = list.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no parameter is called \(name)")
        }
        return "$\(place + 1)"
    }

    /// The names, for the columns of an INSERT or a SELECT.
    var names: String { list.map(\.name).joined(separator: ", ") }

    /// The names as columns of a table.
    func names(of table: String) -> String {
        list.map { "\(table).\($0.name)" }.joined(separator: ", ")
    }

    /// Rows of parameters that are arrays, a column each.
    func rows(as table: String = "u", from first: Int = 1) -> String {
        "unnest(\(numbers(from: first))) \(table)(\(names))"
    }

    /// Rows of parameters that are arrays, as one array of a composite type that has these names as
    /// its fields, in this order.
    func records(_ type: String, from first: Int = 1) -> String {
        "ARRAY(SELECT ROW(u.*)::\(type) FROM \(rows(from: first)))"
    }

    /// One value of a composite type that has these names as its fields, in this order.
    func record(_ type: String, from first: Int) -> String {
        "ROW(\(numbers(from: first)))::\(type)"
    }

    /// One row of parameters.
    func row(as table: String = "u", from first: Int = 1) -> String {
        let columns = list.indices.map { "$\(first + $0) AS \(list[$0].name)" }
        return "(SELECT \(columns.joined(separator: ", "))) \(table)"
    }

    /// The parameters of an SQL function, which are called as these with `p_` before it.
    func arguments(from first: Int = 1) -> String {
        list.indices.map { "p_\(list[$0].name) => $\(first + $0)" }.joined(separator: ", ")
    }

    private func numbers(from first: Int) -> String {
        list.indices.map { "$\(first + $0)" }.joined(separator: ", ")
    }

    /// The values, in the order of the names, behind those of other parameters.
    func values(
        of source: Source, behind others: [any ColumnValue] = []
    ) -> [any ColumnValue] {
        others + list.map { $0.value(source) }
    }

    static func + (left: Parameters, right: Parameters) -> Parameters {
        Parameters(left.list + right.list)
    }
}
