// The columns that an item of a feed is read from, each named once.

/// A column of `i`, which is `source_items`.
enum ItemColumn: Int, RowColumn {
    case itemNo, key, title, url, publishedAt, seenAt, downloadID

    var sql: String { "i." + columnName }
}
