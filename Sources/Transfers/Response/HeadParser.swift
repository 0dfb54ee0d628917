// Parses raw header lines, because libcurl's OK does not mean that they are unambiguous.
internal import Base
internal import Downloads

/// Collects the header lines of one hop and reads them when the final head is complete.
struct HeadParser {
    /// The result of a line.
    enum Step {
        /// The head continues, or an interim answer (1xx) ended.
        case more
        /// The final head is complete.
        case complete
        /// A line after the final head: a trailer.
        case trailer
        /// More bytes than are read.
        case tooLong
    }

    /// The memory that suffices for the head of nearly every answer.
    private static let usualBytes = 512
    private static let usualFields = 16

    private var block: [UInt8] = []
    private var bytesRead = 0
    private var hasOddEnd = false
    private(set) var isComplete = false
    /// The status of the last status line; 0 before the first.
    private(set) var status = 0

    /// Whether the next line would be a status line.
    var expectsStatus: Bool { block.isEmpty && !isComplete }

    /// Forgets everything but its memory.
    mutating func reset() {
        block.removeAll(keepingCapacity: true)
        bytesRead = 0
        isComplete = false
        hasOddEnd = false
        status = 0
    }

    /// Takes a line with its line end, as CURLOPT_HEADERFUNCTION(3) gives it.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        bytesRead += line.count
        guard bytesRead <= TransferLimits.headBytesMax else { return .tooLong }
        if isComplete { return .trailer }
        // libcurl takes any line that begins with a carriage return for the end of the head.
        guard unsafe line.first == 0x0d || line.first == 0x0a else {
            if block.isEmpty { block.reserveCapacity(HeadParser.usualBytes) }
            unsafe block.append(contentsOf: line)
            return .more
        }
        if unsafe line.count > 2 || line.last != 0x0a { hasOddEnd = true }
        status = Self.status(of: block)
        if (100..<200).contains(status), status != 101 {
            block.removeAll(keepingCapacity: true)
            return .more
        }
        isComplete = true
        return .complete
    }

    /// The header lines and the framing of the complete head.
    ///
    /// - Returns: the fields in order, and how the body is delimited.
    func read() -> (fields: [ResponseHead.Field], framing: ResponseFraming) {
        var fields: [ResponseHead.Field] = []
        fields.reserveCapacity(HeadParser.usualFields)
        var reading = FramingReader(status: status)
        if status == 0 { reading.flag(.malformedStatusLine) }
        if status == 101 { reading.flag(.switchedProtocols) }
        if hasOddEnd { reading.flag(.malformedHeader) }
        var place = 0
        _ = nextLine(&place)
        var next = nextLine(&place)
        // A fold continues a line of this head; after the status line there is none to continue.
        if let next, Self.isFold(next) { reading.flag(.malformedHeader) }
        while let first = next {
            var line = first.last == 0x0d ? first.dropLast() : first
            var isFolded = false
            next = nextLine(&place)
            while let fold = next, Self.isFold(fold) {
                // RFC 9112 section 5.2: a fold is replaced by one space.
                line = (line + [0x20] + Self.trimmed(fold))[...]
                isFolded = true
                next = nextLine(&place)
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                reading.flag(.malformedHeader)
                continue
            }
            let rawName = line[..<colon]
            if rawName.isEmpty || rawName.contains(where: Self.isControl) || line.contains(0) {
                reading.flag(.malformedHeader)
            }
            let value = Self.trimmed(line[(colon + 1)...])
            let name = Self.lowercased(Self.trimmed(rawName))
            let isClean = !isFolded && rawName.allSatisfy(HeaderFieldRules.isTokenByte)
            reading.take(name: name, value: value, isClean: isClean && !value.contains { $0 < 9 })
            guard rawName.allSatisfy(HeaderFieldRules.isTokenByte) else { continue }
            fields.append(ResponseHead.Field(name: name, bytes: FieldValue(bytes: value)))
        }
        return (fields, reading.framing)
    }

    /// The next line that is not empty, without its line feed.
    private func nextLine(_ place: inout Int) -> ArraySlice<UInt8>? {
        while place < block.count {
            let rest = block[place...]
            let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
            defer { place = end + 1 }
            if place < end { return rest[..<end] }
        }
        return nil
    }

    private static func isFold(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == 0x20 || line.first == 0x09
    }

    /// Reads a line of a trailer section; nil if it is no header line.
    static func field(_ line: [UInt8]) -> ResponseHead.Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(HeaderFieldRules.isTokenByte)
        else { return nil }
        let value = trimmed(line[(colon + 1)...])
        guard !value.contains(where: isControl) else { return nil }
        return ResponseHead.Field(
            name: lowercased(line[..<colon]), bytes: FieldValue(bytes: value))
    }

    /// The status in `HTTP/1.1 200 OK`; 0 if the line has another form (RFC 9112 section 4).
    ///
    /// The reason and the blank before it may be missing, as real servers do it.
    private static func status(of block: [UInt8]) -> Int {
        let line = block.prefix { $0 != 0x0a && $0 != 0x0d }
        guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), isDigit(line[7]),
            line[8] == 0x20, line.count == 12 || line[12] == 0x20,
            line[9...11].allSatisfy(isDigit), line[9] != 0x30
        else { return 0 }
        return line[9...11].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7f
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count) { room in
            for (place, byte) in bytes.enumerated() {
                unsafe room[place] = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
            }
            return bytes.count
        }
    }
}
