// The columns that a session is read from, each named once.

/// A column of `sessions`, with what is known of its wakes and its app.
enum SessionColumn: Int, RowColumn {
    case sessionNo, identifier, version, configuration, createdAt, updatedAt, state, isMuted, app

    var sql: String {
        switch self {
        case .isMuted:
            """
            coalesce((SELECT w.is_muted FROM session_wakes w
                WHERE w.session_no = sessions.session_no), false)
            """
        case .app: "(SELECT a.name FROM apps a WHERE a.app_no = sessions.app_no)"
        default: columnName
        }
    }
}
