/// A statement with its parameters.
package struct Statement: Sendable {
    /// The text, with `$1`, `$2`, … for the parameters.
    package let sql: String
    /// The parameters' values.
    package let parameters: [any ColumnValue]
    /// Whether the server keeps the statement and its plan.
    ///
    /// A new plan for the values and settings of each call is better if most parameters are
    /// optional.
    package let isPrepared: Bool

    /// Creates a statement.
    package init(_ sql: String, _ parameters: [any ColumnValue] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }
}
