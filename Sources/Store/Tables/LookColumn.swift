// The columns that a look of a source is read from, each named once.

/// A column of `l`, which is `source_looks`.
enum LookColumn: Int, RowColumn {
    case lookNo, dueAt, lastDueAt, count, outcome, reason, downloadID, begunAt, endedAt, isAsked
    case isFull, detail, items

    var sql: String { "l." + columnName }
}
