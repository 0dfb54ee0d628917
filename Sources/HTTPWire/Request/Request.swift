// One complete and valid request.

/// A request with its head and body.
///
/// Copies share their storage, because a request is passed on many times.
package struct Request: Sendable {
    private let head: Head
    /// The content, without its chunked coding; empty for none, and for content in `incoming`.
    package let body: [UInt8]
    /// The content that is read while it arrives; nil for all other requests.
    package let incoming: IncomingBody?

    private final class Head: Sendable {
        let method: String
        let path: String
        let query: String?
        let headers: HeaderFields
        let version: HTTPVersion
        let authority: String?
        let peer: String
        let keepsAlive: Bool

        init(
            method: String, path: String, query: String?, headers: HeaderFields,
            version: HTTPVersion, authority: String?, peer: String, keepsAlive: Bool
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headers = headers
            self.version = version
            self.authority = authority
            self.peer = peer
            self.keepsAlive = keepsAlive
        }
    }

    /// Creates a request, for the parser and for tests.
    package init(
        method: String, path: String, query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [], version: HTTPVersion = .http11, authority: String? = nil,
        peer: String = "", keepsAlive: Bool = true, incoming: IncomingBody? = nil
    ) {
        head = Head(
            method: method, path: path, query: query, headers: headers, version: version,
            authority: authority, peer: peer, keepsAlive: keepsAlive)
        self.body = body
        self.incoming = incoming
    }

    /// A request with its content, which came after its head.
    init(_ request: Request, body: [UInt8]) {
        head = request.head
        self.body = body
        incoming = nil
    }

    /// A request whose content is read while it arrives.
    package init(_ request: Request, incoming: IncomingBody) {
        head = request.head
        body = []
        self.incoming = incoming
    }

    /// The method's token, case-sensitive; one of IANA's registry.
    package var method: String { head.method }

    /// The target's path as sent, not decoded, beginning with `/`; `*` for `OPTIONS *`.
    package var path: String { head.path }

    /// The query after `?`, not decoded; nil without a `?`.
    package var query: String? { head.query }

    /// The field lines in the order they came.
    package var headers: HeaderFields { head.headers }

    /// The version of the request line.
    package var version: HTTPVersion { head.version }

    /// Host and port as sent: of an absolute-form target, else of `Host`; nil only in HTTP/1.0.
    package var authority: String? { head.authority }

    /// The client: `address:port`, or `unix` for a Unix socket.
    package var peer: String { head.peer }

    /// True if the client lets the connection stay open after the answer; RFC 9112 section 9.3.
    package var keepsAlive: Bool { head.keepsAlive }

    /// True for HEAD, whose answer has the head of GET's answer and no content.
    package var isHead: Bool { method == "HEAD" }
}
