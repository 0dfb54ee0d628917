// One endpoint as it is declared: the right that it needs, its input and its answers.
internal import Downloads
internal import HTTPWire

/// A method on a path, with everything that the router checks before and after its work.
///
/// openapi.yaml declares the endpoints as well, and a test compares both. A class, because each
/// request looks at several routes and keeps one.
final class Route: Sendable {
    /// The function that answers: at once on the server's lane, or asynchronously.
    enum Work: Sendable {
        case now(@Sendable (Call) throws(Problem) -> Response)
        case later(@Sendable (Call) async throws(Problem) -> Response)
    }

    /// The method's token.
    let method: String
    /// The path as in openapi.yaml, placeholders in braces.
    let path: String
    /// The `operationId` in openapi.yaml.
    let operation: String
    /// The scope that a key needs; nil for an endpoint that needs no key.
    let scope: KeyScope?
    /// A scope that opens it as well; nil for none.
    let otherScope: KeyScope?
    /// The parameters of its query; others are refused.
    let query: [Parameter]
    /// The header fields that it reads, besides those that every request may have.
    let headers: [RequestHeader]
    /// The media types of the bodies that it reads, the preferred one first; empty without a body.
    let body: [String]
    /// Its answers, without the problems that every endpoint may have.
    let answers: [RouteAnswer]
    /// The use of an `Idempotency-Key`.
    let idempotency: Idempotency.Mode
    /// Whether `Accept` is ignored; if not, JSON has to be acceptable.
    let ignoresAccept: Bool
    /// Whether any query is accepted, because only the scripts of the page read it.
    let ignoresQuery: Bool
    /// Whether its answers with 200 follow from the path alone while the process runs.
    let isFixed: Bool
    /// Whether even a small body may mean much work; see `LongWork`.
    let isLong: Bool
    /// Whether its content is read while it arrives (`Request.incoming`), whatever its length is.
    let streamsBody: Bool
    /// The members of its answers for a key that may change downloads but not read them.
    let unread: [String]
    /// The function that answers.
    let work: Work
    /// The durations of its answers.
    let times = RouteTimes()
    private let segments: [Segment]

    private enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case placeholder
    }

    /// Declares an endpoint; `path` begins with a slash.
    init(
        _ method: String, _ path: String, _ operation: String, scope: KeyScope?,
        or otherScope: KeyScope? = nil, query: [Parameter] = [], headers: [RequestHeader] = [],
        body: [String] = [],
        answers: [RouteAnswer], idempotency: Idempotency.Mode = .none,
        ignoresAccept: Bool = false, ignoresQuery: Bool = false, isFixed: Bool = false,
        isLong: Bool = false, streamsBody: Bool = false,
        unread: [String] = ["id", "state", "dropped"], _ work: Work
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.scope = scope
        self.otherScope = otherScope
        self.query = query
        self.headers = headers
        self.body = body
        self.answers = answers
        self.idempotency = idempotency
        self.ignoresAccept = ignoresAccept
        self.ignoresQuery = ignoresQuery
        self.isFixed = isFixed
        self.isLong = isLong
        self.streamsBody = streamsBody
        self.unread = unread
        self.work = work
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.hasPrefix("{") ? .placeholder : .literal(Array($0.utf8))
        }
    }

    /// Whether its path has a placeholder.
    var hasPlaceholders: Bool { segments.contains(.placeholder) }

    /// The number of segments of its path.
    var segmentCount: Int { segments.count }

    /// Compares a path that has the route's number of segments.
    ///
    /// - Parameter path: the whole path.
    /// - Returns: the decoded segments at the placeholders; nil if the path is another one.
    func match(_ path: String) -> [String]? {
        guard hasLiterals(of: path) else { return nil }
        let bytes = path.utf8.span
        var parameters: [String] = []
        var start = 1
        for segment in segments {
            var end = start
            if case .literal(let literal) = segment {
                end += literal.count
            } else {
                while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
                let part = path.utf8.dropFirst(start).prefix(end - start)
                guard let text = PercentCoding.decode(part), !text.isEmpty else { return nil }
                parameters.append(text)
            }
            start = end + 1
        }
        return parameters
    }

    /// Whether all segments that are no placeholders are equal, byte by byte.
    private func hasLiterals(of path: String) -> Bool {
        let bytes = path.utf8.span
        var place = 1
        for segment in segments {
            if case .literal(let literal) = segment {
                let end = place + literal.count
                guard end == bytes.count || end < bytes.count && bytes[end] == UInt8(ascii: "/")
                else { return false }
                for offset in literal.indices where literal[offset] != bytes[place + offset] {
                    return false
                }
                place = end + 1
            } else {
                while place < bytes.count, bytes[place] != UInt8(ascii: "/") { place += 1 }
                place += 1
            }
        }
        return true
    }
}

/// A status of an endpoint's answers, and the media types of its content.
struct RouteAnswer: Sendable, Equatable {
    /// The status code.
    let status: Int
    /// The media types as openapi.yaml lists them; empty without content.
    let types: [String]

    /// An answer with JSON.
    static func json(_ status: Int = 200) -> RouteAnswer {
        RouteAnswer(status: status, types: [MediaType.json])
    }

    /// An answer with content of one other type.
    static func page(_ type: String) -> RouteAnswer { RouteAnswer(status: 200, types: [type]) }

    /// An answer without content.
    static func empty(_ status: Int) -> RouteAnswer { RouteAnswer(status: status, types: []) }

    /// An answer with 304: a condition of the request says that the client has the representation.
    static let notModified = empty(304)

    /// An answer with a file of any type, whole or in part.
    static func file(_ status: Int) -> RouteAnswer {
        RouteAnswer(status: status, types: ["application/octet-stream", "*/*"])
    }

    /// A problem that openapi.yaml describes for this endpoint in particular.
    static func problem(_ kind: ProblemKind) -> RouteAnswer {
        RouteAnswer(status: kind.status, types: ["application/problem+json"])
    }
}

/// A header field that only some endpoints use; the raw value is its name.
enum RequestHeader: String, Sendable, CaseIterable {
    case ifMatch = "If-Match"
    case ifNoneMatch = "If-None-Match"
    case ifRange = "If-Range"
    case lastEventID = "Last-Event-ID"
    case prefer = "Prefer"
    case range = "Range"
    case reprDigest = "Repr-Digest"
    case tusResumable = "Tus-Resumable"
    case uploadChecksum = "Upload-Checksum"
    case uploadOffset = "Upload-Offset"
}

extension [RequestHeader] {
    /// The conditions of RFC 9110 section 13.1.
    static let conditions: [RequestHeader] = [.ifMatch, .ifNoneMatch]
}
