// The columns that a source is read from, each named once.

/// A column of `s`, which is `sources`, with what is known of its running look.
enum SourceColumn: Int, RowColumn {
    case sourceNo, id, appNo, identifier, version, spec, sealed, timetable, known, step, createdAt
    case updatedAt, app, hasBegun, hasFailed, now

    var sql: String {
        switch self {
        case .app: "(SELECT a.name FROM apps a WHERE a.app_no = s.app_no)"
        case .hasBegun:
            "coalesce((SELECT q.attempt > 0 FROM queue q WHERE q.id = s.running), true)"
        case .hasFailed:
            """
            s.running IS NOT NULL
                AND EXISTS (SELECT 1 FROM queue q WHERE q.id = s.running
                    AND (q.state = lull_state('attention_required')
                        OR q.state = lull_state('waiting')
                        AND EXISTS (SELECT 1 FROM attempts a WHERE a.id = q.id
                            AND a.outcome = lull_outcome('retry_scheduled'))))
            """
        case .now: "clock_timestamp()"
        default: "s." + columnName
        }
    }
}
