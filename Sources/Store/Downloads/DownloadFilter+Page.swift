// The statements of a list: in the order of an index, over a bounded number of rows.
internal import Downloads
internal import Postgres

private let given = DownloadFilter.parameters

extension DownloadFilter {
    /// A statement for one page.
    struct PageStatement {
        /// Its text, over `DownloadFilter.parameters`.
        var text: String
        /// Whether a row also has the last download that is looked at, if there are so many.
        var isBounded: Bool
    }

    /// Settings for the transaction of a list: the planner shall follow the index in the wanted
    /// order and stop at the limit.
    ///
    /// The planner cannot know how many rows a filter keeps, and would rather read and sort
    /// everything, or build a table of all live downloads.
    static let inOrder = Statement(
        """
        SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true),
            set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
        """)

    /// Whether the filter keeps all rows of the app's or session's part of the index, but for the
    /// few uploads among the downloads of a session.
    private var isDense: Bool {
        guard session == nil || isOfUploads == false else { return false }
        var rest = self
        rest.session = nil
        return rest.isEmpty
    }

    /// The index that has the fewest rows for the filter.
    private var lead: Lead {
        if source != nil { return .source }
        return session == nil ? .app : .session
    }

    /// The page behind the last download of the page before.
    func page(_ order: DownloadOrder) -> PageStatement {
        switch order {
        case .lastEndFirst, .firstEndFirst, .next: return timed(order)
        case .newestFirst, .oldestFirst: break
        }
        if !identifiers.isEmpty { return identified(order) }
        if externalID != nil { return named(order) }
        if isLive {
            return states.isSubset(of: [.running, .canceling]) ? running(order) : live(order)
        }
        // The index of the app, the session or the source is followed.
        let lead = self.lead
        guard !isDense else {
            return PageStatement(
                text: """
                    SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
                    WHERE \(lead.range(order, upTo: order.last)) AND \(DownloadFilter.condition)
                    ORDER BY \(lead.order(order)) LIMIT \(given["limit"])
                    """, isBounded: false)
        }
        let isEnded = !states.isEmpty && states.allSatisfy(\.isTerminal)
        let state = isEnded ? "d.state = ANY (\(given["states"]))" : "TRUE"
        return PageStatement(
            text: """
                WITH b AS MATERIALIZED (\(lead.bound(order)))
                SELECT f.*, b.id FROM (SELECT 1) one LEFT JOIN b ON true LEFT JOIN LATERAL (
                    SELECT \(DownloadRecord.columns)
                    FROM \(DownloadRecord.tables)
                    WHERE \(lead.range(order, upTo: "coalesce(b.id, \(order.last))"))
                        AND \(state) AND \(DownloadFilter.condition)
                    ORDER BY \(lead.order(order)) LIMIT \(given["limit"])) f ON true
                """, isBounded: true)
    }

    /// The page of downloads with an external id, of which each session has at most one.
    private func named(_ order: DownloadOrder) -> PageStatement {
        PageStatement(
            text: """
                SELECT \(DownloadRecord.columns) FROM (
                    SELECT * FROM external_ids e
                    WHERE e.app_no = \(given["app"]) AND e.external_id = \(given["external_id"])
                    OFFSET 0) x
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = x.id OFFSET 0) d
                LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                WHERE d.app_no = \(given["app"])
                    AND (\(given["after"])::uuid IS NULL OR d.id \(order.behind) \(given["after"]))
                    AND \(DownloadFilter.condition)
                ORDER BY d.id \(order.direction) LIMIT \(given["limit"])
                """, isBounded: false)
    }

    /// The page of downloads that are named one by one.
    private func identified(_ order: DownloadOrder) -> PageStatement {
        PageStatement(
            text: """
                SELECT \(DownloadRecord.columns) FROM (
                    SELECT DISTINCT id FROM unnest(\(given["ids"])::uuid[]) id) x
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = x.id OFFSET 0) d
                LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                WHERE d.app_no = \(given["app"])
                    AND (\(given["after"])::uuid IS NULL OR d.id \(order.behind) \(given["after"]))
                    AND \(DownloadFilter.condition)
                ORDER BY d.id \(order.direction) LIMIT \(given["limit"])
                """, isBounded: false)
    }

    /// The page of running downloads: they are few, so they are read and then sorted.
    private func running(_ order: DownloadOrder) -> PageStatement {
        PageStatement(
            text: """
                SELECT \(DownloadRecord.columns) FROM (
                    SELECT * FROM queue x WHERE x.state = lull_state('running')
                    OFFSET 0) q
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = q.id OFFSET 0) d
                \(DownloadRecord.gates)
                WHERE d.app_no = \(given["app"])
                    AND (\(given["after"])::uuid IS NULL OR q.id \(order.behind) \(given["after"]))
                    AND \(DownloadFilter.condition)
                ORDER BY q.id \(order.direction) LIMIT \(given["limit"])
                """, isBounded: false)
    }

    /// The page of live downloads, found in the queue among those of all apps, or among all
    /// downloads of the app or session: the statement follows the way that gets further with the
    /// bounded number of rows.
    private func live(_ order: DownloadOrder) -> PageStatement {
        let lead = self.lead
        func part(_ lead: Lead, _ tables: String, _ isTaken: String, _ state: String) -> String {
            """
            (SELECT \(DownloadRecord.columns) FROM \(tables)
            WHERE \(isTaken) AND \(lead.range(order, upTo: "coalesce(b.id, \(order.last))"))
                AND \(state) AND \(DownloadFilter.condition)
            ORDER BY \(lead.order(order)) LIMIT \(given["limit"]))
            """
        }
        let queued = part(
            .live, DownloadFilter.queued, "NOT b.is_own",
            """
            d.app_no = \(given["app"]) AND \(DownloadRecord.liveStatus) = ANY (\(given["states"]))
            """)
        let own = part(lead, DownloadRecord.tables, "b.is_own", "d.state IS NULL")
        return PageStatement(
            text: """
                WITH queued AS MATERIALIZED (\(Lead.live.bound(order))),
                own AS MATERIALIZED (
                    \(lead.bound(order, where: "EXISTS (SELECT 1 FROM queued)"))),
                b AS MATERIALIZED (
                    SELECT z.is_own, CASE WHEN z.is_own THEN z.own ELSE z.queued END AS id
                    FROM (SELECT o.id AS own, u.id AS queued, u.id IS NOT NULL
                            AND (o.id IS NULL OR o.id \(order.behind) u.id) AS is_own
                        FROM (SELECT 1) one LEFT JOIN queued u ON true LEFT JOIN own o ON true) z)
                SELECT f.*, b.id FROM b LEFT JOIN LATERAL (
                    \(queued) UNION ALL \(own)) f ON true
                """, isBounded: true)
    }

    private static let queued = """
        queue q CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = q.id OFFSET 0) d
            \(DownloadRecord.gates)
        """
}

/// The index that is followed.
///
/// Rows are compared as a whole: with an equality the planner would know that the order is also
/// that of the primary key, and might walk all other apps and sessions along it.
private enum Lead {
    case app, session, source, live

    private var table: String { self == .live ? "queue" : "downloads" }
    private var row: String { self == .live ? "q" : "d" }

    /// The last of the bounded number of rows, if there are so many.
    func bound(_ order: DownloadOrder, where condition: String = "TRUE") -> String {
        """
        SELECT \(row).id FROM \(table) \(row)
        WHERE \(condition) AND \(range(order, upTo: order.last))
        ORDER BY \(self.order(order)) OFFSET \(given["scanned"])::bigint - 1 LIMIT 1
        """
    }

    /// The rows behind the last page's, up to one and that one.
    func range(_ order: DownloadOrder, upTo last: String) -> String {
        let first = "coalesce(\(given["after"])::uuid, \(order.first))"
        let part = "\(given["app"])::bigint, \(given["is_upload"])::boolean"
        switch self {
        case .live:
            return "q.id \(order.behind) \(first) AND q.id \(order.until) \(last)"
        case .app:
            return """
                (d.app_no, d.is_upload, d.id) \(order.behind) (\(part), \(first))
                    AND (d.app_no, d.is_upload, d.id) \(order.until) (\(part), \(last))
                """
        case .source:
            let part = "\(given["app"])::bigint, \(given["source"])::text"
            return """
                d.spec->>'source' IS NOT NULL
                    AND (d.app_no, d.spec->>'source', d.id) \(order.behind) (\(part), \(first))
                    AND (d.app_no, d.spec->>'source', d.id) \(order.until) (\(part), \(last))
                """
        case .session:
            let number = """
                (SELECT s.session_no FROM sessions s
                    WHERE s.app_no = \(given["app"]) AND s.identifier = \(given["session"]))
                """
            return """
                (d.session_no, d.id) \(order.behind) (\(number), \(first))
                    AND (d.session_no, d.id) \(order.until) (\(number), \(last))
                """
        }
    }

    func order(_ order: DownloadOrder) -> String {
        switch self {
        case .live: "q.id \(order.direction)"
        case .app:
            "d.app_no \(order.direction), d.is_upload \(order.direction), d.id \(order.direction)"
        case .source:
            "d.app_no \(order.direction), d.spec->>'source' \(order.direction), "
                + "d.id \(order.direction)"
        case .session: "d.session_no \(order.direction), d.id \(order.direction)"
        }
    }
}
