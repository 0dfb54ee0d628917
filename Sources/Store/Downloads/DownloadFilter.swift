// Selects downloads for a list or a bulk action.
package import Core
internal import Postgres

/// What downloads have in common; what is nil or empty does not matter.
package struct DownloadFilter: Sendable, Equatable {
    /// Of this session.
    package var session: String?
    /// In one of these states.
    package var states: Set<DownloadState> = []
    /// From this origin, `scheme://host:port`.
    package var origin: String?
    /// With these texts in their metadata.
    package var metadata = JSONObject()
    /// Accepted at this instant or later.
    package var createdAfter: Timestamp?
    /// Accepted before this instant.
    package var createdBefore: Timestamp?

    /// Any download.
    package init() {}

    /// Whether any download will do.
    package var isEmpty: Bool { self == DownloadFilter() }

    /// Whether only downloads that have not ended are meant.
    var isLive: Bool { !states.isEmpty && states.allSatisfy { !$0.isTerminal } }

    /// The condition on `d` and `q`; its parameters are those of `parameters(app:)`, from `$1`.
    static let condition = """
        d.app_no = $1 AND ($2::text IS NULL OR d.session = $2)
            AND (cardinality($3::smallint[]) = 0 OR \(DownloadRecord.status) = ANY ($3))
            AND ($4::text IS NULL
                OR d.origin_key = (SELECT o.origin_key FROM origins o WHERE o.origin = $4))
            AND ($5::jsonb IS NULL OR d.spec->'metadata' @> $5)
            AND ($6::timestamptz IS NULL OR d.created_at >= $6)
            AND ($7::timestamptz IS NULL OR d.created_at < $7)
        """

    func parameters(app: Int64) -> [any ColumnValue] {
        [
            app, session, states.map(\.number).sorted(),
            origin,
            metadata.isEmpty ? nil as JSONText? : JSONText(JSON.object(metadata).text),
            createdAfter.map { TimestampValue($0) }, createdBefore.map { TimestampValue($0) },
        ]
    }
}

extension DownloadFilter {
    /// For the transaction of a list: follow the index that has the order and stop at the limit.
    ///
    /// The planner cannot know how much a filter keeps, and would rather read everything and sort
    /// it.
    static let inOrder = Statement(
        """
        SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true)
        """)

    /// The page of any downloads behind `$8`, `$9` rows at most.
    static func listAll(_ order: DownloadOrder) -> String {
        """
        SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
        WHERE \(condition) AND ($8::uuid IS NULL OR d.id \(order.behind) $8)
        ORDER BY d.id \(order.direction) LIMIT $9
        """
    }

    /// The same where only live downloads are meant: the queue leads, which is short where the
    /// history is long.
    static func listLive(_ order: DownloadOrder) -> String {
        """
        SELECT \(DownloadRecord.columns) FROM (
            SELECT * FROM queue q
            WHERE ($8::uuid IS NULL OR q.id \(order.behind) $8)
                AND \(DownloadRecord.liveStatus) = ANY ($3)
                AND q.session_no = ANY (ARRAY(SELECT s.session_no FROM sessions s
                    WHERE s.app_no = $1 AND ($2::text IS NULL OR s.identifier = $2)))
            ORDER BY q.id \(order.direction)) q
        CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = q.id OFFSET 0) d
        \(DownloadRecord.gates)
        WHERE \(condition) ORDER BY q.id \(order.direction) LIMIT $9
        """
    }
}
