// One answer of the server.

/// An answer; the server adds `Date`, `Content-Length` and `Connection` itself.
package struct Response: Sendable {
    /// The status code, 200 to 599.
    package var status: Int
    /// The field lines in order, without the ones that the server adds.
    package var headers: [(String, String)]
    /// The content; for HEAD the content of GET's answer, which is counted and not sent.
    package var body: Body
    /// Whether the connection ends after this answer.
    package var closesConnection: Bool

    /// Creates an answer.
    package init(
        status: Int, headers: [(String, String)] = [], body: Body = .none,
        closesConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }
}
