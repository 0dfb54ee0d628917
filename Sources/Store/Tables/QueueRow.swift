// The row of `queue` that a download gets when it comes, and when it comes back.

/// The columns of a new row of `queue`, each with the SQL that it is made of.
enum QueueRow {
    /// Of every new row: `t` is the instant, `timeout` is in seconds, the other names are those of
    /// the statement's rows.
    private static let common: KeyValuePairs = [
        "id": "id",
        "app_no": "app_no",
        "session_no": "session_no",
        "origin_key": "origin_key",
        "state_since": "t",
        "life_since": "t",
        "deadline": "greatest(earliest_begin_at, t) + timeout * interval '1 second'",
        "expected_bytes": "expected_bytes",
        "class": "class",
        "rank": "rank",
        "lane_flags": "lane_flags",
        "facet": "facet",
        "due_bucket": "coalesce(due_bucket, 'infinity')",
        "begin_bucket": "coalesce(begin_bucket, 'infinity')",
        "complete_by": "complete_by",
        "begin_deadline": "begin_deadline",
        "webhook_url": "webhook_url",
        "webhook_events": "webhook_events",
    ]

    /// The beginning of a statement, up to its FROM.
    static func insert(_ others: KeyValuePairs<String, String>) -> String {
        let columns = common.map(\.key) + others.map(\.key)
        let values = common.map(\.value) + others.map(\.value)
        return """
            INSERT INTO queue (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", "))
            """
    }
}
