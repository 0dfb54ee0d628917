// Parsing the content of a request.

extension RequestParser {
    mutating func readFixed(_ left: Int) -> Event? {
        if isStreamed, left > 0 {
            guard let piece = takePiece(left) else { return .needMore }
            phase = .fixed(left: left - piece.count)
            return .piece(piece)
        }
        let taken = take(left)
        if taken == left { return finish() }
        phase = .fixed(left: left - taken)
        return .needMore
    }

    mutating func readChunkSize() throws(Rejection) -> Event? {
        let limit = ChunkLine.sizeDigitsMax + limits.chunkExtensionBytes
        let excess = Rejection.malformed("The line before a chunk is too long.")
        guard let range = try takeLine(limit: limit, excess: excess) else { return .needMore }
        let chunk = try ChunkLine.parse(buffer.span.extracting(range))
        extensionBytes += chunk.extensionBytes
        guard chunk.extensionBytes <= limits.chunkExtensionBytes,
            extensionBytes <= limits.chunkExtensionsBytes
        else { throw .malformed("The chunk extensions are too long.") }
        guard isStreamed || chunk.size <= limits.bodyBytes - body.count else {
            throw .contentTooLarge(limits.bodyBytes)
        }
        phase = chunk.size == 0 ? .trailers : .chunkData(left: chunk.size)
        return nil
    }

    mutating func readChunk(_ left: Int) -> Event? {
        if isStreamed {
            guard let piece = takePiece(left) else { return .needMore }
            phase = piece.count == left ? .chunkEnd : .chunkData(left: left - piece.count)
            return .piece(piece)
        }
        let taken = take(left)
        phase = taken == left ? .chunkEnd : .chunkData(left: left - taken)
        return taken == left ? nil : .needMore
    }

    mutating func endChunk() throws(Rejection) -> Event? {
        guard position < buffer.count else { return .needMore }
        guard buffer[position] == .carriageReturn else {
            throw .malformed("A chunk is longer than its size.")
        }
        guard position + 1 < buffer.count else { return .needMore }
        guard buffer[position + 1] == .lineFeed else {
            throw .malformed("A chunk is longer than its size.")
        }
        position += 2
        phase = .chunkSize
        return nil
    }

    /// Trailer fields are checked and dropped (RFC 9112 section 7.1.2).
    mutating func readTrailer() throws(Rejection) -> Event? {
        let limits = limits
        let limit = limits.trailerBytes - trailerBytes - 2
        guard let range = try takeLine(limit: limit, excess: .trailersTooLarge(limits)) else {
            return .needMore
        }
        if range.isEmpty { return finish() }
        trailerBytes += range.count + 2
        _ = try FieldLine.parse(buffer.span.extracting(range))
        return nil
    }

    private mutating func take(_ wanted: Int) -> Int {
        let count = min(wanted, buffer.count - position)
        body.append(contentsOf: buffer[position..<(position + count)])
        position += count
        return count
    }

    /// Takes bytes of streamed content; nil if none are there.
    private mutating func takePiece(_ wanted: Int) -> [UInt8]? {
        let count = min(wanted, buffer.count - position)
        guard count > 0 else { return nil }
        defer { position += count }
        return Array(buffer[position..<(position + count)])
    }

    private mutating func finish() -> Event {
        guard let head = request else { preconditionFailure("content comes after a head") }
        request = nil
        guard !isStreamed else {
            isStreamed = false
            announced = 0
            phase = .start
            return .end
        }
        let whole = Request(head, body: body)
        body = []
        announced = 0
        phase = .start
        return .request(whole)
    }
}
