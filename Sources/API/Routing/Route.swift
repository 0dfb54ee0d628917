// One line of the table of routes.
internal import Core
internal import HTTPWire

/// A method on a path, and who answers it.
///
/// A class, because each request looks at several and takes one along.
final class Route: Sendable {
    /// Who answers: at once on the server's lane, or after some work.
    enum Work: Sendable {
        case now(@Sendable (Router) -> (Call) throws(Problem) -> Response)
        case later(@Sendable (Router) -> (Call) async throws(Problem) -> Response)
    }

    /// The method's token.
    let method: String
    /// The path as in openapi.yaml, placeholders in braces.
    let path: String
    /// The operationId in openapi.yaml.
    let operation: String
    /// What it takes in its query.
    let query: [Parameter]
    /// The media types of the bodies that it reads, the preferred one first; none without a body.
    let types: [String]
    /// Who answers.
    let work: Work
    /// Whether the work itself stores the idempotency key, in the transaction of what it does.
    let keepsKey: Bool
    /// Whether even a small body may mean much work; see `LongWork`.
    let isLong: Bool
    /// Whether its answers are JSON, and nothing else.
    let isJSON: Bool
    /// What a key has to open for it; nil for what is open to everybody.
    let scope: KeyScope?
    private let segments: [Segment]

    private enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case placeholder
    }

    /// Names all of it; `path` begins with a slash, `types` are those of the method if nil.
    init(
        _ method: String, _ path: String, _ operation: String, query: [Parameter] = [],
        types: [String]? = nil, keepsKey: Bool = false, isLong: Bool = false, _ work: Work
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.query = query
        self.types = types ?? Route.types(method)
        self.work = work
        self.keepsKey = keepsKey
        self.isLong = isLong
        isJSON = path.hasPrefix("/v1/") && !path.hasSuffix("/content")
        scope = Route.scope(method, path)
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.hasPrefix("{") ? .placeholder : .literal(Array($0.utf8))
        }
    }

    /// Whether its path has a part that names something.
    var hasPlaceholders: Bool { segments.contains(.placeholder) }

    /// How many parts its path has.
    var segmentCount: Int { segments.count }

    private static func types(_ method: String) -> [String] {
        switch method {
        case "POST", "PUT": [MediaType.json]
        case "PATCH": [MediaType.mergePatch, MediaType.json]
        default: []
        }
    }

    private static func scope(_ method: String, _ path: String) -> KeyScope? {
        guard path.hasPrefix("/v1/") else { return nil }
        let isRead = method == "GET" || method == "HEAD"
        if path.hasSuffix("/content"), isRead { return .readContent }
        if path.hasSuffix("/secret") || path == "/v1/policy" && !isRead { return .admin }
        return isRead ? .readDownloads : .writeDownloads
    }

    /// The decoded segments at the placeholders, or nil if the path is another one.
    func match(_ parts: [Substring.UTF8View]) -> [String]? {
        guard parts.count == segments.count else { return nil }
        var parameters: [String] = []
        for (part, segment) in zip(parts, segments) {
            switch segment {
            case .literal(let bytes):
                guard part.elementsEqual(bytes) else { return nil }
            case .placeholder:
                guard let text = PercentCoding.decode(part), !text.isEmpty else { return nil }
                parameters.append(text)
            }
        }
        return parameters
    }
}
