// The statements of lists in an order by time: of the end, or of the next try.
internal import Downloads

private let given = DownloadFilter.parameters

extension DownloadFilter {
    /// The page of an order by time, over an index that begins with the app.
    func timed(_ order: DownloadOrder) -> PageStatement {
        let lead: TimedLead = order == .next ? .next : .ended
        return PageStatement(
            text: """
                WITH b AS MATERIALIZED (
                    SELECT x.id, x.\(lead.instant) AS at FROM \(lead.table) x
                    WHERE \(lead.range(order, upTo: order.last, at: order.lastInstant))
                    ORDER BY \(lead.order(order)) OFFSET \(given["scanned"])::bigint - 1 LIMIT 1)
                SELECT f.*, b.id, b.at FROM (SELECT 1) one LEFT JOIN b ON true LEFT JOIN LATERAL (
                    SELECT \(DownloadRecord.columns)
                    FROM \(lead.table) x
                    CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = x.id OFFSET 0) d
                    LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                    WHERE \(lead.range(
                        order, upTo: "coalesce(b.id, \(order.last))",
                        at: "coalesce(b.at, \(order.lastInstant))"))
                        AND \(DownloadFilter.condition)
                    ORDER BY \(lead.order(order)) LIMIT \(given["limit"])) f ON true
                """, isBounded: true)
    }
}

/// The index that is followed.
private enum TimedLead {
    case ended, next

    var table: String { self == .ended ? "download_results" : "queue" }
    var instant: String { self == .ended ? "finished_at" : "run_at" }

    /// The columns of the index before its instant, and their values.
    private var part: (columns: [String], values: String) {
        switch self {
        case .ended:
            (
                ["x.app_no", "(get_byte(uuid_send(x.id), 6) >> 4 = 8)"],
                "\(given["app"])::bigint, \(given["is_upload"])::boolean"
            )
        case .next: (["x.app_no"], "\(given["app"])::bigint")
        }
    }

    /// All columns of the index.
    private var key: [String] { part.columns + ["x.\(instant)", "x.id"] }

    /// The predicate of the index.
    private var rows: String {
        switch self {
        case .ended: "x.finished_at IS NOT NULL"
        case .next: "x.state IN (lull_state('waiting'), lull_state('joined'))"
        }
    }

    /// The rows behind the last page's, up to one and that one; of ended ones none that ended
    /// before the filter's instant.
    func range(_ order: DownloadOrder, upTo last: String, at end: String) -> String {
        let key = "(\(self.key.joined(separator: ", ")))"
        var range = """
            \(rows) AND \(key) \(order.behind) (\(part.values),
                    coalesce(\(given["after_at"])::timestamptz, \(order.firstInstant)),
                    coalesce(\(given["after"])::uuid, \(order.first)))
                AND \(key) \(order.until) (\(part.values), (\(end))::timestamptz, \(last))
            """
        if self == .ended {
            range += """
                 AND \(key) >= (\(part.values),
                        coalesce(\(given["completed_after"])::timestamptz, '-infinity'),
                        '00000000-0000-0000-0000-000000000000'::uuid)
                """
        }
        return range
    }

    func order(_ order: DownloadOrder) -> String {
        key.map { "\($0) \(order.direction)" }.joined(separator: ", ")
    }
}
