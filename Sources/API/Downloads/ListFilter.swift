// Which downloads a list shows, and where its next page begins.
internal import Core

/// The query of a list, read and judged.
struct ListFilter: Sendable {
    /// Only downloads of this session.
    let session: String?
    /// Only downloads in one of these states; empty for all.
    let states: Set<DownloadState>
    /// Only downloads older than this one.
    let before: Identifier?
    /// How many on a page, 1 to 200.
    let limit: Int

    /// Reads the parameters.
    ///
    /// - Throws: `validation-failed`.
    init(_ query: Query) throws(Problem) {
        limit = try query.integer("limit", in: 1...200) ?? 50
        session = query["session"]
        if let session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        states = try query["state"].map(ListFilter.states) ?? []
        if let text = query["cursor"] {
            guard let id = Identifier("dl_" + text, kind: .download) else {
                throw .invalid("?cursor", "must be a next_cursor that this list gave")
            }
            before = id
        } else {
            before = nil
        }
    }

    /// The cursor of the page behind a download; opaque to clients.
    static func cursor(_ id: Identifier) -> String { String(id.text(.download).dropFirst(3)) }

    /// The path and query of the page behind a download.
    func path(after id: Identifier) -> String {
        var path = "/v1/downloads?limit=\(limit)&cursor=\(ListFilter.cursor(id))"
        if !states.isEmpty {
            let names = DownloadState.allCases.filter(states.contains).map(\.rawValue)
            path += "&state=" + names.joined(separator: ",")
        }
        if let session { path += "&session=" + session }
        return path
    }

    private static func states(_ text: String) throws(Problem) -> Set<DownloadState> {
        var states: Set<DownloadState> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let state = DownloadState(rawValue: String(name)) else {
                let known = DownloadState.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("?state", "does not know \"\(name)\"; known are \(known)")
            }
            states.insert(state)
        }
        return states
    }
}
