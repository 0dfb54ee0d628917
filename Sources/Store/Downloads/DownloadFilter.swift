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
    /// With this name that their client gave them.
    package var externalID: String?
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

    /// The condition on `d` and `q`, but for the app; its parameters are those of
    /// `parameters(app:)`, from `$1`.
    static let condition = """
        ($1::bigint IS NOT NULL) AND ($2::text IS NULL OR d.session = $2)
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
