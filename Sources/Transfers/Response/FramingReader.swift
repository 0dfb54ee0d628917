// Reads the headers that delimit a body, line by line; keeps the first contradiction.
internal import Base
internal import Downloads

/// Builds a ``ResponseFraming`` from header lines.
struct FramingReader {
    private let status: Int
    private var collected = ResponseFraming()
    private var sawLength = false
    private var sawEncoding = false
    private var sawRange = false

    /// Creates a reader for a head with this status.
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
            if let length = ContentRange.number(value) {
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
            collected.contentEncoding = earlier + FieldValue(bytes: value).text
            return
        default: return
        }
        if !isClean { flag(.malformedHeader) }
    }

    /// The framing from all lines.
    var framing: ResponseFraming {
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
        // With other statuses the header has no meaning (RFC 9110 section 14.4).
        guard status == 206 || status == 416 else { return }
        if sawRange { flag(.repeatedContentRange) }
        sawRange = true
        collected.contentRange = ContentRange(value)
        if collected.contentRange == nil { flag(.oddContentRange) }
    }

    /// Keeps the first reason for which the head cannot be trusted.
    mutating func flag(_ ambiguity: ResponseFraming.Ambiguity) {
        if collected.ambiguity == nil { collected.ambiguity = ambiguity }
    }

    /// Whether the digits are a number of 19 digits or more.
    private static func isBeyondCounting(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.count > 18 && digits.first != 0x30
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func equals(_ value: ArraySlice<UInt8>, _ word: String) -> Bool {
        value.count == word.utf8.count && zip(value, word.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}
