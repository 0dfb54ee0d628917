// The framing of a reply, by a reader that knows nothing of libcurl or of the engine.

/// A raw reply, read by RFC 9112 with the tolerance that section 2.2 allows: lines may end with a
/// bare line feed, and a bare carriage return is a blank.
package struct ReplyReading: Equatable, Sendable {
    /// The end of the answer in the reply.
    package enum End: Sendable {
        /// The body is complete.
        case whole
        /// The body ends too early.
        case cut
        /// The reply has no certain meaning.
        case malformed
    }

    /// The end, as far as the reply can be believed.
    package private(set) var end = End.malformed
    /// The status of the final head, 0 without one.
    package private(set) var status = 0
    /// The content.
    package private(set) var body: [UInt8] = []
    /// Whether the reply itself says where the content ends.
    package private(set) var isDelimited = false
    /// Whether the connection may be used again: the reply allows it, and no bytes follow it.
    package private(set) var isPersistent = false
    /// Whether a line of a head begins with a zero byte: libcurl 7.88 drops all further bytes that
    /// it has read there, and no reader above it can know them.
    package private(set) var hasZeroLine = false

    /// Reads a reply that the end of the connection follows.
    ///
    /// - Parameters:
    ///   - bytes: all bytes of the reply.
    ///   - hasBody: false if it answers a HEAD.
    package init(_ bytes: [UInt8], hasBody: Bool = true) {
        var rest = bytes[...]
        while true {
            if rest.first == 0 { hasZeroLine = true }
            let head = Head(&rest)
            if Head.hasZeroLine(bytes[..<rest.startIndex]) { hasZeroLine = true }
            guard let head else {
                end = rest.contains(0x0a) ? .malformed : .cut
                return
            }
            // An upgrade needs a request for it, and this client sends none.
            guard head.status != 101 else { return }
            // An interim head is skipped, whatever fields it has.
            if (100..<200).contains(head.status) { continue }
            guard head.isSound else { return }
            status = head.status
            read(rest, head, hasBody: hasBody && status != 204 && status != 304)
            return
        }
    }

    private mutating func read(_ rest: ArraySlice<UInt8>, _ head: Head, hasBody: Bool) {
        var rest = rest
        end = .whole
        if !hasBody {
            isDelimited = true
        } else if head.isChunked {
            isDelimited = true
            end = readChunks(&rest)
        } else if let length = head.length {
            isDelimited = true
            body = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            if body.count < length { end = .cut }
        } else {
            body = Array(rest)
            rest = []
        }
        isPersistent = end == .whole && isDelimited && rest.isEmpty && head.isPersistent
    }

    private mutating func readChunks(_ rest: inout ArraySlice<UInt8>) -> End {
        while true {
            guard let line = Self.line(&rest) else {
                // The beginning of a line may already be wrong; in both cases it is no end.
                return .cut
            }
            let digits = line.prefix { Character(UnicodeScalar($0)).isHexDigit }
            let behind = line[digits.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
            guard !digits.isEmpty, digits.drop(while: { $0 == 0x30 }).count <= 15,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                behind.isEmpty || behind.first == UInt8(ascii: ";"),
                behind.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 })
            else { return .malformed }
            guard size > 0 else { return readTrailers(&rest) }
            body += rest.prefix(size)
            guard rest.count >= size else { return .cut }
            rest = rest.dropFirst(size)
            guard let end = Self.line(&rest) else { return .cut }
            guard end.isEmpty else { return .malformed }
        }
    }

    private func readTrailers(_ rest: inout ArraySlice<UInt8>) -> End {
        while let line = Self.line(&rest) {
            if line.isEmpty { return .whole }
            let isClean = line.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
            guard isClean, Head.Field(line) != nil else { return .malformed }
        }
        return .cut
    }

    /// Takes a line without its end; nil if it has none.
    fileprivate static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let feed = rest.firstIndex(of: 0x0a) else { return nil }
        var line = rest[..<feed]
        rest = rest[(feed + 1)...]
        if line.last == 0x0d { line = line.dropLast() }
        return line
    }
}

/// A head, its framing fields understood.
private struct Head {
    struct Field {
        /// The names of the fields that frame the answer; no others are read.
        private static let framing = ["content-length", "transfer-encoding", "connection"]

        /// The name in lower case, without blanks at its ends.
        let name: String
        /// Whether the name had blanks at its ends.
        let isPadded: Bool
        /// The value of a framing field in lower case, without blanks at its ends.
        let value: String

        /// Reads a line; nil if it is no field.
        init?(_ line: ArraySlice<UInt8>) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }),
                !line.contains(0)
            else { return nil }
            let trimmed = Self.trimmed(line[..<colon])
            isPadded = trimmed.count < colon - line.startIndex
            name = String(decoding: trimmed, as: UTF8.self).lowercased()
            value =
                Self.framing.contains(name)
                ? String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self).lowercased()
                : ""
        }

        /// The bytes without blanks at the ends; a bare carriage return is a blank.
        private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
            let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
            return bytes[..<end].drop(while: isBlank)
        }
    }

    private(set) var status = 0
    private(set) var isSound = true
    private(set) var isChunked = false
    private(set) var length: Int?
    private(set) var isPersistent = true
    private var lengths = 0
    private var encodings = 0

    /// Takes a head from the beginning; nil if it has no end or no status line.
    init?(_ rest: inout ArraySlice<UInt8>) {
        guard let first = ReplyReading.line(&rest) else { return nil }
        let words = first.split(maxSplits: 2, omittingEmptySubsequences: false) {
            $0 == 0x20 || $0 == 0x0d
        }
        guard words.count >= 2, words[0].count == 8, words[0].starts(with: "HTTP/1.".utf8),
            words[1].count == 3, words[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(decoding: words[1], as: UTF8.self)), number >= 100
        else { return nil }
        status = number
        isPersistent = !words[0].elementsEqual("HTTP/1.0".utf8)
        var isFirst = true
        while let line = ReplyReading.line(&rest) {
            if line.isEmpty { return }
            if line.first == 0x20 || line.first == 0x09 {
                // A folded line continues the line before, and may change its meaning.
                if isFirst || line.contains(0) { isSound = false }
            } else if let field = Field(line) {
                take(field)
            } else {
                isSound = false
            }
            isFirst = false
        }
        return nil
    }

    /// Whether a line in these heads begins with a zero byte.
    static func hasZeroLine(_ heads: ArraySlice<UInt8>) -> Bool {
        zip(heads, heads.dropFirst()).contains { $0 == 0x0a && $1 == 0 }
    }

    private mutating func take(_ field: Field) {
        let value = field.value
        switch field.name {
        case "content-length":
            lengths += 1
            length = Int(value)
            let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            if !isNumber || length == nil || lengths > 1 { isSound = false }
        case "transfer-encoding":
            encodings += 1
            isChunked = true
            if value != "chunked" || encodings > 1 { isSound = false }
        case "connection": isPersistent = isPersistent && value == "keep-alive"
        default: return
        }
        if lengths > 0, encodings > 0 { isSound = false }
        if field.isPadded { isSound = false }
    }
}
