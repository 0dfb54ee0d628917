// Parsing the header section of a request.

extension RequestParser {
    /// Skips one empty line (RFC 9112 section 2.2) and refuses a byte that cannot begin a request.
    mutating func begin() throws(Rejection) -> Event? {
        guard position < buffer.count else { return .needMore }
        saysHead = false
        let first = buffer[position]
        if first == .carriageReturn {
            guard emptyLines == 0 else {
                throw .malformed("There is more than one empty line before the request.")
            }
            guard position + 1 < buffer.count else { return .needMore }
            guard buffer[position + 1] == .lineFeed else {
                throw .malformed("A carriage return is not followed by a line feed.")
            }
            emptyLines = 1
            position += 2
        } else if first.isToken {
            phase = .requestLine
        } else {
            throw .malformed("This is not the beginning of an HTTP request.")
        }
        return nil
    }

    mutating func readRequestLine() throws(Rejection) -> Event? {
        let limit = limits.lineBytes
        saysHead = Method.isHead(buffer.span.extracting(position..<buffer.count))
        let known = buffer[position..<min(buffer.count, position + limit)]
        guard
            let range = try takeLine(
                limit: limit,
                excess: known.contains(.space) ? .uriTooLong(limit) : .unknownMethod)
        else { return .needMore }
        line = try RequestLine.parse(buffer.span.extracting(range))
        framing = RequestFraming()
        places.removeAll(keepingCapacity: true)
        blockStart = position
        phase = .fields
        return nil
    }

    mutating func readFields() throws(Rejection) -> Event? {
        var framing = self.framing
        let limits = limits
        while true {
            let room = limits.headerBlockBytes - (position - blockStart) - 2
            let range = try takeLine(
                limit: min(limits.lineBytes, room), excess: .fieldsTooLarge(limits))
            guard let range else {
                self.framing = framing
                return .needMore
            }
            if range.isEmpty {
                self.framing = framing
                return try endHead(blockEnd: range.lowerBound)
            }
            if places.count == limits.headerFields { throw .fieldsTooLarge(limits) }
            let field = try Self.readField(buffer.span.extracting(range), noting: &framing)
            let base = range.lowerBound - blockStart
            places.append(
                HeaderFields.Place(
                    name: (field.name.lowerBound + base)..<(field.name.upperBound + base),
                    value: (field.value.lowerBound + base)..<(field.value.upperBound + base)))
        }
    }

    private static func readField(
        _ line: Span<UInt8>, noting framing: inout RequestFraming
    ) throws(Rejection) -> FieldLine {
        let field = try FieldLine.parse(line)
        try framing.note(name: line.extracting(field.name), value: line.extracting(field.value))
        return field
    }

    private mutating func endHead(blockEnd: Int) throws(Rejection) -> Event? {
        guard let line else { preconditionFailure("fields come after a request line") }
        try framing.check(version: line.version)
        let keepsAlive =
            !framing.saysClose && (line.version == .http11 || framing.saysKeepAlive)
        let head = Request(
            method: line.method, path: line.path, query: line.query,
            headers: HeaderFields(bytes: Array(buffer[blockStart..<blockEnd]), places: places),
            version: line.version, authority: line.authority ?? framing.host, peer: peer,
            keepsAlive: keepsAlive)
        let hasContent = framing.isChunked || framing.length ?? 0 > 0
        isStreamed = hasContent && streams(head)
        if !isStreamed, let length = framing.length, length > limits.bodyBytes {
            throw .contentTooLarge(limits.bodyBytes)
        }
        self.line = nil
        emptyLines = 0
        guard hasContent else {
            phase = .start
            return .request(head)
        }
        request = head
        extensionBytes = 0
        trailerBytes = 0
        let length = framing.length
        announced = length ?? 0
        phase = framing.isChunked ? .chunkSize : .fixed(left: announced)
        // A client that has begun to send the content does not wait for 100 (RFC 9110 section
        // 10.1.1).
        let waits = framing.expectsContinue && line.version == .http11 && position == buffer.count
        if isStreamed { return .streamed(head, length: length.map(Int64.init), waits: waits) }
        return waits ? .expectContinue(head) : nil
    }
}
