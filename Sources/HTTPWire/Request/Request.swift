// One request, read whole and valid.

/// One request, whole: head and body.
package struct Request: Sendable {
    /// The method's token, case-sensitive; one that IANA lists.
    package var method: String
    /// The target's path as sent, not decoded, beginning with `/`; `*` for `OPTIONS *`.
    package var path: String
    /// The query after `?`, not decoded; nil without a `?`.
    package var query: String?
    /// The field lines in the order they came.
    package var headers: HeaderFields
    /// The content, with a chunked coding taken off; empty if there was none.
    package var body: [UInt8]
    /// The version of the request line.
    package var version: HTTPVersion
    /// Host and port as sent: of an absolute-form target, else of `Host`; nil only in HTTP/1.0.
    package var authority: String?
    /// The client: `address:port`, or `unix` for a Unix socket.
    package var peer: String
    /// True if the client lets the connection stay open after the answer; RFC 9112 section 9.3.
    package var keepsAlive: Bool

    /// Puts a request together, as the parser and tests do.
    package init(
        method: String, path: String, query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [], version: HTTPVersion = .http11, authority: String? = nil,
        peer: String = "", keepsAlive: Bool = true
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.version = version
        self.authority = authority
        self.peer = peer
        self.keepsAlive = keepsAlive
    }

    /// True for HEAD, whose answer has the head of GET's answer and no content.
    package var isHead: Bool { method == "HEAD" }
}
