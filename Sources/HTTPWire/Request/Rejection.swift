// The reason why a request was refused: the connection ends with this answer.

/// A refusal by the parser or a deadline; never repaired, always followed by a close.
package struct Rejection: Error, Sendable, Hashable {
    /// The status code, 400 to 505.
    package let status: Int
    /// A stable word, also the last part of the problem document's type.
    package let code: String
    /// The error in words, without any of the client's own bytes.
    package let detail: String

    /// Creates a rejection.
    package init(status: Int, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// The answer: a problem document (RFC 9457) that ends the connection.
    package var response: Response {
        let title = StatusPhrase.phrase(status)
        let json = """
            {"type":"/problems/\(code)","title":"\(title)","status":\(status),\
            "code":"\(code)","detail":"\(detail)"}

            """
        return Response(
            status: status, headers: [("Content-Type", "application/problem+json")],
            body: .bytes(Array(json.utf8)), closesConnection: true)
    }

    /// The client took too long to send its request.
    package static let timeout = Rejection(
        status: 408, code: "request-timeout", detail: "The request did not arrive in time.")

    static func malformed(_ detail: String) -> Rejection {
        Rejection(status: 400, code: "malformed-request", detail: detail)
    }

    static func notImplemented(_ detail: String) -> Rejection {
        Rejection(status: 501, code: "not-implemented", detail: detail)
    }

    static func contentTooLarge(_ bytesAtMost: Int) -> Rejection {
        Rejection(
            status: 413, code: "content-too-large",
            detail: "The body has more than \(bytesAtMost) bytes, which is the limit.")
    }

    static func uriTooLong(_ bytesAtMost: Int) -> Rejection {
        Rejection(
            status: 414, code: "uri-too-long",
            detail: "The first line of the request has more than \(bytesAtMost) bytes, which is "
                + "the limit.")
    }

    static func fieldsTooLarge(_ limits: WireLimits) -> Rejection {
        Rejection(
            status: 431, code: "header-fields-too-large",
            detail: "The header fields are over the limits: \(limits.headerFields) fields, "
                + "\(limits.lineBytes) bytes in a line, \(limits.headerBlockBytes) bytes in all.")
    }

    static func trailersTooLarge(_ limits: WireLimits) -> Rejection {
        Rejection(
            status: 431, code: "header-fields-too-large",
            detail: "The trailers have more than \(limits.trailerBytes) bytes, which is the limit.")
    }

    static let unknownMethod = notImplemented(
        "The method is not registered by IANA. The names of methods are case-sensitive.")
    static let version = Rejection(
        status: 505, code: "http-version-not-supported", detail: "Use HTTP/1.1 or HTTP/1.0.")
    static let expectation = Rejection(
        status: 417, code: "expectation-failed",
        detail: "The only expectation that is met is 100-continue.")
}
