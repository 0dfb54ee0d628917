// Selects downloads for a list or a bulk action.
package import Base
package import Downloads
internal import Postgres

/// The values that selected downloads share; nil or empty values select any.
package struct DownloadFilter: Sendable, Equatable {
    /// The session.
    package var session: String?
    /// The states, one of which the download has.
    package var states: Set<DownloadState> = []
    /// The origin, `scheme://host:port`.
    package var origin: String?
    /// The client's name for the download.
    package var externalID: String?
    /// Texts that its metadata has.
    package var metadata = JSONObject()
    /// The earliest instant of acceptance.
    package var createdAfter: Timestamp?
    /// The instant before which it was accepted.
    package var createdBefore: Timestamp?

    /// Creates a filter that selects any download.
    package init() {}

    /// Whether it selects any download.
    package var isEmpty: Bool { self == DownloadFilter() }

    /// Whether it selects only downloads that have not ended.
    var isLive: Bool { !states.isEmpty && states.allSatisfy { !$0.isTerminal } }

    /// The condition on `d` and `q`, without the app; its parameters are those of
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
