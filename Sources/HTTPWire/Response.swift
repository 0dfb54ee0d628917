// One answer.

/// The content of an answer.
package enum Body: Sendable {
    /// No content; `Content-Length: 0` where a length is needed.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// A part of an open file, sent with sendfile(2).
    case file(FileRegion)
    /// Bytes that are produced while they are sent.
    case stream(BodyStream)

    /// The number of bytes; nil for a stream.
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
