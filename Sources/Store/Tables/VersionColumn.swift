// The columns that a version of a source is read from, each named once.

/// A column of `v`, which is `source_versions`.
enum VersionColumn: Int, RowColumn {
    case versionNo, downloadID, sha256, length, seenAt

    var sql: String { "v." + columnName }
}
