// The query of a list, and the cursor of its next page.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The query of a list, read and validated.
struct ListFilter: Sendable {
    /// The parameters of the query.
    static let parameters: [Parameter] = [
        "limit", "cursor", .list("state"), "session", "origin", "external_id", .map("metadata"),
        "created_after", "created_before", "completed_after", "error_code", "q", "order", "view",
        "source",
    ]

    /// The selected downloads.
    private(set) var filter = DownloadFilter()
    /// The order.
    let order: DownloadOrder
    /// The form in which the downloads are shown.
    let view: DownloadView
    /// The last download of the previous page.
    let after: Identifier?
    /// The instant of that download, in an order by time.
    let afterInstant: Timestamp?
    /// The most downloads of a page, 1 to 200.
    let limit: Int
    /// The parameters as given, except the cursor.
    private let given: [(name: String, value: String)]

    /// Reads the parameters of a list of downloads, or of uploads.
    ///
    /// - Throws: `validation-failed`.
    init(_ query: Query, ofUploads isOfUploads: Bool = false) throws(Problem) {
        filter.isOfUploads = isOfUploads
        given = query.pairs.filter { $0.name != "cursor" && $0.name != "limit" }
        limit = try query.integer("limit", in: 1...200) ?? 50
        let name = query["order"] ?? DownloadOrder.newestFirst.rawValue
        guard let order = DownloadOrder(rawValue: name) else {
            throw .invalid(
                "?order", "must be created_at, -created_at, completed_at, -completed_at or next")
        }
        self.order = order
        view = try DownloadView(query)
        (after, afterInstant) = try ListFilter.place(query, order, ofUploads: isOfUploads)
        filter.session = query["session"]
        if let session = filter.session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        filter.states = try query.list("state").map(ListFilter.states) ?? []
        if let text = query["origin"] {
            guard let origin = FilterValues.origin(text) else {
                throw .invalid("?origin", FilterValues.originRule)
            }
            filter.origin = origin
        }
        filter.externalID = query["external_id"]
        if let name = filter.externalID, !DownloadRequest.isExternalID(name) {
            throw .invalid("?external_id", DownloadRequest.externalIDRule)
        }
        filter.source = query["source"]
        if let source = filter.source, !SessionIdentifier.isValid(source) {
            throw .invalid("?source", SessionIdentifier.rule)
        }
        // Safe, because the query has each name once.
        filter.metadata = JSONObject(
            members: query.members(of: "metadata").map { ($0.member, .string($0.value)) })
        filter.createdAfter = try ListFilter.instant("created_after", query)
        filter.createdBefore = try ListFilter.instant("created_before", query)
        filter.completedAfter = try ListFilter.instant("completed_after", query)
        if let name = query["error_code"] {
            guard let code = FailureCode(rawValue: name) else {
                throw .invalid("?error_code", FilterValues.errorCodeRule)
            }
            filter.errorCode = code
        }
        if let text = query["q"] {
            guard let texts = FilterValues.texts(text) else {
                throw .invalid("?q", FilterValues.textRule)
            }
            filter.texts = texts
        }
        try fitStates()
    }

    /// Makes the states fit the order, which is one of ended or of waiting downloads.
    private mutating func fitStates() throws(Problem) {
        switch order {
        case .newestFirst, .oldestFirst: break
        case .lastEndFirst, .firstEndFirst:
            guard filter.states.allSatisfy(\.isTerminal) else {
                throw .invalid(
                    "?order",
                    "\(order.rawValue) is for ended downloads: give state=succeeded, failed or "
                        + "canceled, or no state")
            }
            if filter.states.isEmpty { filter.states = [.succeeded, .failed, .canceled] }
        case .next:
            guard filter.states == [.waiting] else {
                throw .invalid("?order", "next is for waiting downloads: give state=waiting")
            }
        }
    }

    private static func place(
        _ query: Query, _ order: DownloadOrder, ofUploads isOfUploads: Bool
    ) throws(Problem) -> (Identifier?, Timestamp?) {
        guard let text = query["cursor"] else { return (nil, nil) }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let instant = parts.count == 2 ? Int64(parts[1]).map(Timestamp.init(microseconds:)) : nil
        let isByTime = order != .newestFirst && order != .oldestFirst
        guard let id = parts.first.flatMap({ Identifier(digits: String($0)) }),
            id.isUpload == isOfUploads, isByTime == (instant != nil),
            parts.count == (isByTime ? 2 : 1)
        else { throw .invalid("?cursor", "must be a next_cursor that this list gave") }
        return (id, instant)
    }

    /// The cursor for the page behind a download; opaque to clients.
    static func cursor(_ id: Identifier, at instant: Timestamp? = nil) -> String {
        id.text.dropFirst(3) + (instant.map { ".\($0.microseconds)" } ?? "")
    }

    /// The path and query of the page behind a cursor.
    func path(after cursor: String) -> String {
        var path =
            (filter.isOfUploads == true ? "/v1/uploads" : "/v1/downloads")
            + "?limit=\(limit)&cursor=\(cursor)"
        for (name, value) in given {
            path += "&" + ListFilter.escaped(name) + "=" + ListFilter.escaped(value)
        }
        return path
    }

    /// Percent-encoded for a query (RFC 3986 section 3.4).
    private static func escaped(_ text: String) -> String {
        PercentCoding.encode(text, keeping: "-._~,:/")
    }

    private static func states(_ names: [String]) throws(Problem) -> Set<DownloadState> {
        var states: Set<DownloadState> = []
        for name in names {
            guard let state = DownloadState(rawValue: name) else {
                throw .invalid(
                    "?state",
                    "has the unknown state \"\(name)\"; known are \(FilterValues.stateNames)")
            }
            states.insert(state)
        }
        return states
    }

    private static func instant(_ name: String, _ query: Query) throws(Problem) -> Timestamp? {
        guard let text = query[name] else { return nil }
        guard let instant = Timestamp(rfc3339: text) else {
            throw .invalid(
                "?" + name,
                "must be an RFC 3339 date with a zone, for example 2026-11-22T01:00:00Z")
        }
        return instant
    }
}
