// Selects downloads for a list or a bulk action.
package import Base
package import Downloads
internal import Postgres

/// The values that selected downloads share; nil or empty values select any.
package struct DownloadFilter: Sendable, Equatable {
    /// Whether it selects uploads, in place of downloads; nil for both, in one session.
    package var isOfUploads: Bool? = false
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

    /// Whether it selects any download, or any upload.
    package var isEmpty: Bool {
        var rest = self
        rest.isOfUploads = false
        return rest == DownloadFilter()
    }

    /// Whether it selects only downloads that have not ended.
    var isLive: Bool { !states.isEmpty && states.allSatisfy { !$0.isTerminal } }

    /// A filter, and which of its downloads are asked for.
    struct Question {
        let filter: DownloadFilter
        let app: Int64
        /// The last download of the page before.
        let after: Identifier?
        /// The size of the page.
        let limit: Int64
        /// The most that is looked at where a statement is bounded.
        let scanned: Int64
    }

    static let parameters: Parameters<Question> = [
        "app": { $0.app },
        "session": { $0.filter.session },
        "states": { $0.filter.states.map(\.number).sorted() },
        "origin": { $0.filter.origin },
        "metadata": { $0.filter.storedMetadata },
        "created_after": { $0.filter.createdAfter },
        "created_before": { $0.filter.createdBefore },
        "after": { $0.after },
        "limit": { $0.limit },
        "scanned": { $0.scanned },
        "external_id": { $0.filter.externalID },
        "is_upload": { $0.filter.isOfUploads },
    ]

    private var storedMetadata: JSONText? {
        metadata.isEmpty ? nil : JSONText(JSON.object(metadata).text)
    }

    /// The condition on `d` and `q`, but for the app.
    static let condition = """
        (\(parameters["app"])::bigint IS NOT NULL) AND (\(parameters["is_upload"])::boolean IS NULL
                OR d.is_upload = \(parameters["is_upload"]))
            AND (\(parameters["session"])::text IS NULL OR d.session = \(parameters["session"]))
            AND (cardinality(\(parameters["states"])::smallint[]) = 0
                OR \(DownloadRecord.status) = ANY (\(parameters["states"])))
            AND (\(parameters["origin"])::text IS NULL OR d.origin_key = (
                SELECT o.origin_key FROM origins o WHERE o.origin = \(parameters["origin"])))
            AND (\(parameters["metadata"])::jsonb IS NULL
                OR d.spec->'metadata' @> \(parameters["metadata"]))
            AND (\(parameters["created_after"])::timestamptz IS NULL
                OR d.created_at >= \(parameters["created_after"]))
            AND (\(parameters["created_before"])::timestamptz IS NULL
                OR d.created_at < \(parameters["created_before"]))
        """
}
