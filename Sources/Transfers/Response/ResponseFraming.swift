// The length of a body: read by us, because libcurl accepts heads that contradict themselves.
package import Downloads

/// The delimiting headers of an answer (RFC 9112 section 6, RFC 9110 section 14.4).
package struct ResponseFraming: Sendable, Equatable {
    /// The reason why a head cannot be trusted.
    package enum Ambiguity: String, Sendable {
        /// Several Content-Length lines, or a list in one.
        case repeatedContentLength = "repeated_content_length"
        /// A Content-Length that is not 1 to 18 digits; see ``isLengthBeyondCounting``.
        case oddContentLength = "odd_content_length"
        /// Content-Length together with Transfer-Encoding.
        case lengthAndEncoding = "length_and_transfer_encoding"
        /// A Transfer-Encoding other than one `chunked`.
        case oddTransferEncoding = "odd_transfer_encoding"
        /// Several Content-Range lines.
        case repeatedContentRange = "repeated_content_range"
        /// A Content-Range that cannot be read, or that contradicts Content-Length.
        case oddContentRange = "odd_content_range"
        /// A first line that is not `HTTP/1.x` and a status of three digits.
        case malformedStatusLine = "malformed_status_line"
        /// A 101, although no upgrade was requested.
        case switchedProtocols = "switched_protocols"
        /// A folded line, a control character, or a line without a colon.
        case malformedHeader = "malformed_header"
        /// More header bytes than are read.
        case tooManyHeaderBytes = "too_many_header_bytes"
    }

    /// The announced length of the body in bytes.
    package var contentLength: Int64?
    /// Whether a 2xx announces a length of 19 digits or more, longer than any file.
    package var isLengthBeyondCounting = false
    /// Whether the body is chunked.
    package var isChunked = false
    /// The part of the representation in the body.
    package var contentRange: ContentRange?
    /// The content coding if it is not `identity`; the bytes are stored as they came.
    package var contentEncoding: String?
    /// The contradiction; nil for a clean head.
    package var ambiguity: Ambiguity?

    /// The framing of a head without any delimiting header.
    package init() {}
}
