// Reads chunked bodies, because libcurl takes `0x34` for a last chunk and any bytes for an
// extension.

/// Separates content from framing in the raw bytes of a chunked body (RFC 9112 section 7.1).
///
/// Lines may end with a bare line feed, and a size may be padded with blanks, as servers do; all
/// other deviations from the grammar are malformed.
@safe struct ChunkedBody {
    /// The next part of the given bytes.
    enum Step: Equatable {
        /// This many bytes of content; they count as taken after ``take(_:)``.
        case content(Int)
        /// There are no more parts in these bytes.
        case more
        /// The trailer section is complete; the bytes behind it are not of this answer.
        case complete
        /// The framing cannot be trusted.
        case malformed(Malformation)
    }

    /// The error of a framing.
    enum Malformation: String, CaseIterable {
        /// A line that does not begin with a hexadecimal size, or has other bytes behind it.
        case oddSize = "odd_chunk_size"
        /// A size of 2^60 or more, or of more digits than are read.
        case tooLarge = "chunk_size_too_large"
        /// A chunk longer than its size.
        case tooLong = "chunk_longer_than_its_size"
        /// More bytes of extensions than are read.
        case longExtension = "chunk_extension_too_long"
        /// Much more framing than content.
        case muchFraming = "more_chunk_framing_than_content"
        /// A trailer that is no header line, or more of them than are read.
        case oddTrailer = "malformed_trailer"
    }

    private enum State {
        case size, padding, feed, content, contentEnd, contentFeed, trailer, complete
    }

    private var state = State.size
    private var digits = 0
    /// The missing bytes of the chunk.
    private var left: Int64 = 0
    private var hasExtension = false
    private var extensionBytes = 0
    private var trailerBytes = 0
    /// Bytes of the body that are no content, less those that its content allows.
    private var framingBytes = -TransferLimits.framingBytesFree
    private var line: [UInt8] = []
    /// The fields of the trailer section so far.
    private(set) var trailers: [ResponseHead.Field] = []

    /// Whether the whole body was read.
    var isComplete: Bool { state == .complete }

    /// Reads the next step.
    ///
    /// - Parameters:
    ///   - bytes: a piece as it came.
    ///   - position: where to begin; moved past all framing before the next content.
    /// - Returns: what is at the new position.
    mutating func next(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Step {
        while state != .complete, position < bytes.count {
            if state == .content {
                return .content(Int(min(left, Int64(bytes.count - position))))
            }
            if let reason = unsafe take(framing: bytes[position]) { return .malformed(reason) }
            position += 1
            framingBytes += 1
            if framingBytes > 0 { return .malformed(.muchFraming) }
        }
        return isComplete ? .complete : .more
    }

    /// Counts content as taken.
    mutating func take(_ count: Int) {
        left -= Int64(count)
        framingBytes -= Int64(count) * TransferLimits.framingBytesPerByte
        if left == 0 { state = .contentEnd }
    }

    private mutating func take(framing byte: UInt8) -> Malformation? {
        switch state {
        case .size:
            guard let digit = Self.value(byte) else { return digits == 0 ? .oddSize : end(byte) }
            digits += 1
            // Leading zeros are allowed, up to a bound.
            guard left < 1 << 56, digits <= TransferLimits.chunkDigitsMax else { return .tooLarge }
            left = left << 4 | digit
        case .padding: return end(byte)
        case .feed where byte == 0x0a: begin()
        case .feed: return .oddSize
        case .contentEnd where byte == 0x0d: state = .contentFeed
        case .contentEnd, .contentFeed:
            guard byte == 0x0a else { return .tooLong }
            (state, digits, extensionBytes, hasExtension) = (.size, 0, 0, false)
        case .trailer: return take(trailer: byte)
        case .content, .complete: preconditionFailure("content is no framing")
        }
        return nil
    }

    /// Reads a byte between the size and the end of the line.
    private mutating func end(_ byte: UInt8) -> Malformation? {
        switch byte {
        case 0x0a: begin()
        case 0x0d: state = .feed
        case 0x20, 0x09: state = .padding
        case UInt8(ascii: ";"): (state, hasExtension) = (.padding, true)
        default:
            guard hasExtension, byte > 0x20, byte != 0x7f else { return .oddSize }
        }
        extensionBytes += 1
        return extensionBytes > TransferLimits.chunkExtensionBytesMax ? .longExtension : nil
    }

    private mutating func begin() { state = left == 0 ? .trailer : .content }

    private mutating func take(trailer byte: UInt8) -> Malformation? {
        trailerBytes += 1
        guard trailerBytes <= TransferLimits.headBytesMax else { return .oddTrailer }
        guard byte == 0x0a else {
            line.append(byte)
            return nil
        }
        if line.last == 0x0d { line.removeLast() }
        if line.isEmpty {
            state = .complete
            return nil
        }
        guard let field = HeadParser.field(line) else { return .oddTrailer }
        trailers.append(field)
        line.removeAll(keepingCapacity: true)
        return nil
    }

    private static func value(_ byte: UInt8) -> Int64? {
        switch byte {
        case 0x30...0x39: Int64(byte - 0x30)
        case 0x41...0x46: Int64(byte - 0x41) + 10
        case 0x61...0x66: Int64(byte - 0x61) + 10
        default: nil
        }
    }
}
