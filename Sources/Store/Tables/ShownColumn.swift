// The columns of a download that its events show, each named once.

/// A column that the data of an event are derived from: of `d`, which is `downloads`.
enum ShownColumn: Int, RowColumn {
    case session, url, priority, earliestBeginAt, expectedBytes, spec, createdAt, startedAt, result

    /// The SELECT list for events under this name, of which only ends show a result.
    static func list(ofEvent event: String) -> String {
        allCases.map { column in
            switch column {
            case .spec: "d.spec::text"
            case .result:
                """
                CASE WHEN \(event).type IN (lull_event_type('succeeded'), lull_event_type('failed'),
                    lull_event_type('canceled')) THEN d.result::text END AS result
                """
            default: "d." + column.columnName
            }
        }.joined(separator: ", ")
    }
}
