/// A statement with its parameters.
package struct Statement: Sendable {
    /// The text, with `$1`, `$2`, … for the parameters.
    package let sql: String
    /// The values.
    package let parameters: [any ColumnValue]
    /// Whether the server keeps the statement and its plan.
    ///
    /// A plan made anew, for the values and the
    /// settings of this moment, is better where most parameters are optional.
    package let isPrepared: Bool

    /// Pairs them.
    package init(_ sql: String, _ parameters: [any ColumnValue] = [], isPrepared: Bool = true) {
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }
}
