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

    /// The number of bytes; nil for a stream of unknown length.
    package var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let region): region.length
        case .stream(let stream): stream.length
        }
    }
}
