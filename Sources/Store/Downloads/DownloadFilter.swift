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
    /// The source whose look it is.
    package var source: String?
    /// Texts that its metadata has.
    package var metadata = JSONObject()
    /// The earliest instant of acceptance.
    package var createdAfter: Timestamp?
    /// The instant before which it was accepted.
    package var createdBefore: Timestamp?
    /// The earliest instant of its end.
    package var completedAfter: Timestamp?
    /// The code of its failure, or of the last one of a download that goes on.
    package var errorCode: FailureCode?
    /// A part of its name or URL, compared without case, in each form in which it may stand there;
    /// empty for any.
    package var texts: [String] = []
    /// The downloads themselves, at most `identifiersAtMost`; empty for any.
    package var identifiers: [Identifier] = []

    /// The most downloads that a filter names.
    package static let identifiersAtMost = 1000

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
        /// The instant of that download in an order by time.
        var at: Timestamp?
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
        "after_at": { $0.at },
        "completed_after": { $0.filter.completedAfter },
        "error_code": { $0.filter.errorCode?.rawValue },
        "texts": { $0.filter.texts },
        "ids": { $0.filter.identifiers },
        "source": { $0.filter.source },
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
            AND (\(parameters["completed_after"])::timestamptz IS NULL
                OR d.finished_at >= \(parameters["completed_after"]))
            AND (\(parameters["error_code"])::text IS NULL
                OR d.result->'error'->>'code' = \(parameters["error_code"]))
            AND (cardinality(\(parameters["texts"])::text[]) = 0 OR \(hasText))
            AND (cardinality(\(parameters["ids"])::uuid[]) = 0
                OR d.id = ANY (\(parameters["ids"])))
            AND (\(parameters["source"])::text IS NULL
                OR d.spec->>'source' = \(parameters["source"]))
        """

    /// Whether a name or the URL has one of the texts.
    ///
    /// Queries of ephemeral sessions are not shown, so they are not searched.
    private static let hasText = """
        (SELECT bool_or(strpos(lower(concat_ws(chr(10), d.spec->>'filename',
                d.result->'response'->>'suggested_filename', d.spec->'destination'->>'path',
                CASE WHEN d.spec ? 'ephemeral' THEN split_part(d.url, '?', 1) ELSE d.url END)),
                lower(y.part)) > 0)
            FROM unnest(\(parameters["texts"])) y(part))
        """
}
