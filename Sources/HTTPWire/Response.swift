// What goes back to the client.

/// The content of an answer.
package enum Body: Sendable {
    /// No content; `Content-Length: 0` where a length belongs.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// A stretch of an open file, sent without passing through memory.
    case file(FileRegion)
    /// Bytes that are made while they are sent.
    case stream(BodyStream)

    /// The number of bytes; nil where only the end will tell.
    package var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let region): region.length
        case .stream: nil
        }
    }
}

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
