// Raw header lines to values: our own reading, because libcurl's OK does not mean unambiguous.
internal import Core

/// Collects the header lines of one hop and reads them when the final head is complete.
struct HeadParser {
    /// What a line led to.
    enum Step {
        /// The head goes on, or an interim answer (1xx) ended.
        case more
        /// The final head is complete.
        case complete
        /// A line after the final head: a trailer.
        case trailer
        /// More bytes than are read.
        case tooLong
    }

    private var block: [UInt8] = []
    private var trailerBlock: [UInt8] = []
    private var bytesRead = 0
    private(set) var isComplete = false
    /// The status of the last status line, 0 before one.
    private(set) var status = 0

    /// Forgets everything but the room it used.
    mutating func reset() {
        block.removeAll(keepingCapacity: true)
        trailerBlock = []
        bytesRead = 0
        isComplete = false
        status = 0
    }

    /// Takes one line with its line end, as CURLOPT_HEADERFUNCTION(3) gives it.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        bytesRead += line.count
        guard bytesRead <= TransferLimits.headBytesMax else { return .tooLong }
        if isComplete {
            unsafe trailerBlock.append(contentsOf: line)
            return .trailer
        }
        let isEnd = unsafe line.first == 0x0d || line.first == 0x0a
        guard isEnd else {
            unsafe block.append(contentsOf: line)
            return .more
        }
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
    func read() -> (fields: [ResponseHead.Field], framing: Framing) {
        var reading = FramingReader(status: status)
        let fields = Self.fields(of: block.split(separator: 0x0a).dropFirst()) {
            reading.take(name: $0, value: $1, isClean: $2)
        }
        return (fields, reading.framing)
    }

    /// The fields behind a chunked body (RFC 9112 section 7.1.2); they delimit nothing.
    func readTrailers() -> [ResponseHead.Field] {
        Self.fields(of: trailerBlock.split(separator: 0x0a)[...]) { _, _, _ in }
    }

    /// The fields of lines without their line feeds, in order; `visit` also gets those whose name
    /// is malformed.
    private static func fields(
        of lines: ArraySlice<ArraySlice<UInt8>>,
        visit: (_ name: String, _ value: ArraySlice<UInt8>, _ isClean: Bool) -> Void
    ) -> [ResponseHead.Field] {
        var fields: [ResponseHead.Field] = []
        var lines = lines
        while let first = lines.popFirst() {
            var line = first.last == 0x0d ? first.dropLast() : first
            var isFolded = false
            while let next = lines.first, next.first == 0x20 || next.first == 0x09 {
                // RFC 9112 section 5.2: a fold means one space.
                line = (line + [0x20] + trimmed(next))[...]
                isFolded = true
                lines = lines.dropFirst()
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let rawName = line[..<colon]
            let value = trimmed(line[(colon + 1)...])
            let name = lowercased(trimmed(rawName))
            let isClean = !isFolded && rawName.allSatisfy(HeaderFieldRules.isTokenByte)
            visit(name, value, isClean && !value.contains { $0 < 9 })
            guard !rawName.isEmpty, rawName.allSatisfy(HeaderFieldRules.isTokenByte) else {
                continue
            }
            fields.append(ResponseHead.Field(name: name, value: text(value)))
        }
        return fields
    }

    private static func status(of block: [UInt8]) -> Int {
        guard let space = block.firstIndex(of: 0x20), block.count >= space + 4 else { return 0 }
        return block[(space + 1)...(space + 3)].reduce(0) { number, byte in
            (0x30...0x39).contains(byte) ? number * 10 + Int(byte - 0x30) : 0
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            decoding: bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}
