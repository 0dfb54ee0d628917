// One answer.

/// One answer; the server adds `Date`, `Content-Length` and `Connection` itself.
package struct Response: Sendable {
    /// The status code, 200 to 599.
    package var status: Int
    /// Field lines in order, without those that the server adds.
    package var headers: [(String, String)]
    /// The content; for HEAD give GET's, it is counted and not sent.
    package var body: Body
    /// True to end the connection after this answer.
    package var closesConnection: Bool

    /// Puts an answer together.
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
