// Selecting the downloads or uploads of a command; pure.
package import Base

/// A filter on downloads or on uploads, as the API takes it.
package struct DownloadFilter {
    /// Whether uploads are meant, in place of downloads.
    package let isOfUploads: Bool
    private let states: [String]
    private let session: String?
    private let origin: String?
    private let error: String?
    private let text: String?
    private let source: String?
    private let labels: [(name: String, value: String)]

    /// The filter that selects all downloads.
    package static let all = DownloadFilter()

    private init() {
        isOfUploads = false
        (states, labels) = ([], [])
        (session, origin, error, text, source) = (nil, nil, nil, nil, nil)
    }

    /// Reads the filter from the options.
    package init(_ arguments: Arguments) throws(ClientFailure) {
        isOfUploads = arguments.has("--uploads")
        states = arguments["--state"].flatMap { $0.split(separator: ",").map(String.init) }
        session = arguments["--session"].last
        origin = arguments["--origin"].last
        error = arguments["--error"].last
        text = arguments["--search"].last
        source = arguments["--source"].last
        guard source == nil || !isOfUploads else {
            throw .usage("--source goes with downloads only, and not with --uploads")
        }
        var labels: [(name: String, value: String)] = []
        for text in arguments["--label"] {
            guard let place = text.firstIndex(of: "="), place != text.startIndex else {
                throw .usage("--label: \"\(text)\" is not NAME=VALUE")
            }
            labels.append((String(text[..<place]), String(text[text.index(after: place)...])))
        }
        self.labels = labels
    }

    /// The path of the list.
    package var path: String { isOfUploads ? "/v1/uploads" : "/v1/downloads" }

    /// The word for the things that are selected.
    package var noun: String { isOfUploads ? "uploads" : "downloads" }

    /// Whether the filter selects all of the list.
    package var isEmpty: Bool {
        query.isEmpty
    }

    /// The filter as query parameters of a list.
    package var query: [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        if !states.isEmpty { found.append(("state", states.joined(separator: ","))) }
        if let session { found.append(("session", session)) }
        if let origin { found.append(("origin", origin)) }
        if let error { found.append(("error_code", error)) }
        if let text { found.append(("q", text)) }
        if let source { found.append(("source", source)) }
        return found + labels.map { ("metadata[\($0.name)]", $0.value) }
    }

    /// The filter as a JSON member of a bulk action.
    package var document: JSON {
        var members = JSONObject()
        if !states.isEmpty { members["state"] = .array(states.map { .string($0) }) }
        members["session"] = session.map { .string($0) }
        members["origin"] = origin.map { .string($0) }
        members["error_code"] = error.map { .string($0) }
        members["q"] = text.map { .string($0) }
        if !labels.isEmpty {
            var metadata = JSONObject()
            for label in labels { metadata[label.name] = .string(label.value) }
            members["metadata"] = .object(metadata)
        }
        return .object(members)
    }
}
