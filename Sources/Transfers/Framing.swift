// How long the body is: read by us, because libcurl accepts heads that contradict themselves.

/// The delimiting headers of an answer (RFC 9112 section 6, RFC 9110 section 14.4).
package struct Framing: Sendable, Equatable {
    /// Why a head cannot be trusted.
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

    /// A parsed Content-Range.
    package struct ContentRange: Sendable, Equatable {
        /// The first and the last byte, or nil for `bytes */total`.
        package let bytes: ClosedRange<Int64>?
        /// The length of the whole representation, or nil for `*`.
        package let total: Int64?

        /// A range, as ``init(_:)`` reads it.
        package init(bytes: ClosedRange<Int64>?, total: Int64?) {
            self.bytes = bytes
            self.total = total
        }
    }

    /// The announced body length in bytes.
    package var contentLength: Int64?
    /// Whether a 2xx announces a length of 19 digits or more, beyond any file.
    package var isLengthBeyondCounting = false
    /// Whether the body is chunked.
    package var isChunked = false
    /// The part of the representation that the body is.
    package var contentRange: ContentRange?
    /// The content coding when it is not `identity`; the bytes are stored as they came.
    package var contentEncoding: String?
    /// What is contradictory, or nil for a clean head.
    package var ambiguity: Ambiguity?

    /// The framing of a head without any delimiting header.
    package init() {}

    /// Whether the end of the body can be known.
    package var isDelimited: Bool { contentLength != nil || isChunked }
}
