// Which downloads somebody means.
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
            AND ($4::bigint IS NULL OR d.origin_key = $4)
            AND ($5::jsonb IS NULL OR d.spec->'metadata' @> $5)
            AND ($6::timestamptz IS NULL OR d.created_at >= $6)
            AND ($7::timestamptz IS NULL OR d.created_at < $7)
        """

    func parameters(app: Int64) -> [any ColumnValue] {
        [
            app, session, states.compactMap { DownloadRecord.statusNumbers[$0] }.sorted(),
            origin.map(StableHash.of),
            metadata.isEmpty ? nil as JSONText? : JSONText(JSON.object(metadata).text),
            createdAfter.map { TimestampValue($0) }, createdBefore.map { TimestampValue($0) },
        ]
    }
}

/// In which order downloads are listed.
package enum DownloadOrder: String, Sendable {
    /// The newest first.
    case newestFirst = "-created_at"
    /// The oldest first.
    case oldestFirst = "created_at"
}
