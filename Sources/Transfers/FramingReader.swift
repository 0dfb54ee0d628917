// The headers that delimit a body, line by line; the first contradiction is kept.

/// Builds a ``Framing`` from header lines.
struct FramingReader {
    private let status: Int
    private var collected = Framing()
    private var sawLength = false
    private var sawEncoding = false
    private var sawRange = false

    /// A reader for a head with this status.
    init(status: Int) { self.status = status }

    /// Takes one header line.
    ///
    /// - Parameters:
    ///   - name: the name in lower case.
    ///   - value: the value without surrounding white space.
    ///   - isClean: false for folded lines, odd names and control characters.
    mutating func take(name: String, value: ArraySlice<UInt8>, isClean: Bool) {
        switch name {
        case "content-length":
            if sawLength || value.contains(UInt8(ascii: ",")) { flag(.repeatedContentLength) }
            sawLength = true
            if let length = Self.number(value) {
                collected.contentLength = length
            } else if Self.isBeyondCounting(value), (200...299).contains(status) {
                collected.isLengthBeyondCounting = true
            } else {
                flag(.oddContentLength)
            }
        case "transfer-encoding":
            if sawEncoding || !Self.equals(value, "chunked") { flag(.oddTransferEncoding) }
            sawEncoding = true
            collected.isChunked = true
        case "content-range":
            takeRange(value)
        case "content-encoding":
            guard !value.isEmpty, !Self.equals(value, "identity") else { return }
            let earlier = collected.contentEncoding.map { $0 + ", " } ?? ""
            collected.contentEncoding = earlier + String(decoding: value, as: UTF8.self)
            return
        default: return
        }
        if !isClean { flag(.malformedHeader) }
    }

    /// The framing that all lines together give.
    var framing: Framing {
        var result = collected
        guard result.ambiguity == nil else { return result }
        if sawLength, sawEncoding { result.ambiguity = .lengthAndEncoding }
        if status == 206, let bytes = result.contentRange?.bytes,
            let length = result.contentLength,
            length != bytes.upperBound - bytes.lowerBound + 1
        {
            result.ambiguity = .oddContentRange
        }
        return result
    }

    private mutating func takeRange(_ value: ArraySlice<UInt8>) {
        // Other statuses give the header no meaning (RFC 9110 section 14.4).
        guard status == 206 || status == 416 else { return }
        if sawRange { flag(.repeatedContentRange) }
        sawRange = true
        collected.contentRange = Framing.ContentRange(value)
        if collected.contentRange == nil { flag(.oddContentRange) }
    }

    /// Keeps the first reason not to trust the head.
    mutating func flag(_ ambiguity: Framing.Ambiguity) {
        if collected.ambiguity == nil { collected.ambiguity = ambiguity }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard (1...18).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Whether it is a number of 19 digits or more.
    private static func isBeyondCounting(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.count > 18 && digits.first != 0x30
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func equals(_ value: ArraySlice<UInt8>, _ word: String) -> Bool {
        value.count == word.utf8.count && zip(value, word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}

extension Framing.ContentRange {
    /// Reads `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000` (RFC 9110 section 14.4).
    package init?(_ value: ArraySlice<UInt8>) {
        let parts = value.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 2, FramingReader.equals(parts[0], "bytes") else { return nil }
        let sides = parts[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let star: [UInt8] = [UInt8(ascii: "*")]
        let total = FramingReader.number(sides[1])
        guard total != nil || sides[1].elementsEqual(star) else { return nil }
        if sides[0].elementsEqual(star) {
            guard total != nil else { return nil }
            self.init(bytes: nil, total: total)
            return
        }
        let ends = sides[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = FramingReader.number(ends[0]),
            let last = FramingReader.number(ends[1]), first <= last, last < total ?? Int64.max
        else { return nil }
        self.init(bytes: first...last, total: total)
    }
}
