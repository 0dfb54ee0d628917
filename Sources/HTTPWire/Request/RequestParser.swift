// The parser of requests: a state machine that is fed bytes and returns requests.

/// Reads requests from a stream of bytes, as strictly as RFC 9112 allows: on any doubt about where
/// a message begins or ends it rejects, and never reads on.
///
/// Feed bytes as they arrive and call `next()` until it needs more. How the bytes are split makes
/// no difference to the requests and rejections.
package struct RequestParser: Sendable {
    /// The result of parsing the bytes fed so far.
    package enum Event: Sendable {
        /// No event before more bytes are fed.
        case needMore
        /// The client waits for 100 to send the content of this request, whose body is empty here.
        /// Send 100 and continue, or send a final answer and close.
        case expectContinue(Request)
        /// A complete request.
        case request(Request)
        /// The head of a request whose content follows piece by piece, without a bound.
        ///
        /// The length is nil for chunked content. `waits` says that the client sends the content
        /// only after 100.
        case streamed(Request, length: Int64?, waits: Bool)
        /// The next bytes of that content, at least one.
        case piece([UInt8])
        /// The end of that content.
        case end
        /// The end of this connection; every later call returns the same rejection.
        case reject(Rejection)
    }

    /// The part of a message in which the bytes end, for deadlines.
    package enum Stage: Sendable, Hashable {
        /// Before the first byte of a request.
        case idle
        /// Within the request line or the field lines.
        case head
        /// Within the content.
        case content
    }

    enum Phase {
        case start
        case requestLine
        case fields
        case fixed(left: Int)
        case chunkSize
        case chunkData(left: Int)
        case chunkEnd
        case trailers
        case rejected(Rejection)
    }

    let limits: WireLimits
    let peer: String
    /// Whether the content of a request, whose head is given, is not collected but streamed.
    let streams: @Sendable (Request) -> Bool
    /// Whether the content of the request that is being read is streamed.
    var isStreamed = false
    var buffer: [UInt8] = []
    /// The index in the buffer at which the next line or piece of content begins.
    var position = 0
    /// The index in the buffer before which there is no line end.
    var scanned = 0
    var phase = Phase.start
    var emptyLines = 0
    /// Whether the first line of the request begins with the method HEAD.
    var saysHead = false
    var line: RequestLine?
    var framing = RequestFraming()
    var blockStart = 0
    var places: [HeaderFields.Place] = []
    var request: Request?
    var body: [UInt8] = []
    var announced = 0
    var extensionBytes = 0
    var trailerBytes = 0

    /// Starts at the beginning of a connection.
    ///
    /// - Parameters:
    ///   - limits: the bounds of a request.
    ///   - peer: the value of `Request.peer`.
    ///   - streams: asked once for each request with content, before a byte of it is read; true
    ///     for content that is not collected but given out piece by piece.
    package init(
        limits: WireLimits = WireLimits(), peer: String = "",
        streams: @escaping @Sendable (Request) -> Bool = { _ in false }
    ) {
        self.limits = limits
        self.peer = peer
        self.streams = streams
    }

    /// The number of bytes that were fed and not used yet.
    package var bufferedBytes: Int { buffer.count - position }

    /// The stage of the message at the end of the bytes used so far.
    package var stage: Stage {
        switch phase {
        case .start: bufferedBytes == 0 && emptyLines == 0 ? .idle : .head
        case .requestLine, .fields: .head
        case .fixed, .chunkSize, .chunkData, .chunkEnd, .trailers: .content
        case .rejected: .idle
        }
    }

    /// The stage and the number of unused bytes, without the copy of the parser that a getter makes
    /// when called from another module.
    package mutating func progress() -> (stage: Stage, bufferedBytes: Int) {
        (stage, bufferedBytes)
    }

    /// The bytes of content announced by the request that is being read, or read so far if chunked.
    package var contentBytes: Int { max(announced, body.count) }

    /// The known part of the request that is being read or was rejected.
    package var outline: RequestOutline {
        RequestOutline(
            method: line?.method ?? request?.method ?? (saysHead ? "HEAD" : nil),
            path: line?.path ?? request?.path, peer: peer)
    }

    /// Appends bytes from the connection to the buffer.
    package mutating func feed(_ bytes: Span<UInt8>) {
        if case .rejected = phase { return }
        compact()
        unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }

    /// The next event; `needMore` when the bytes are used up.
    package mutating func next() -> Event {
        do throws(Rejection) {
            while true {
                if let event = try step() { return event }
            }
        } catch {
            phase = .rejected(error)
            buffer = []
            position = 0
            return .reject(error)
        }
    }

    private mutating func step() throws(Rejection) -> Event? {
        switch phase {
        case .start: try begin()
        case .requestLine: try readRequestLine()
        case .fields: try readFields()
        case .fixed(let left): readFixed(left)
        case .chunkSize: try readChunkSize()
        case .chunkData(let left): readChunk(left)
        case .chunkEnd: try endChunk()
        case .trailers: try readTrailer()
        case .rejected(let rejection): .reject(rejection)
        }
    }

    /// Finds the next line and moves behind it and its line end.
    ///
    /// - Parameters:
    ///   - limit: the most bytes a line may have, without its line end.
    ///   - excess: what a longer line is refused with.
    /// - Returns: the range of the line without its line end; nil if it is not complete.
    /// - Throws: `excess`, or a rejection of a line that ends without a carriage return.
    mutating func takeLine(
        limit: Int, excess: @autoclosure () -> Rejection
    ) throws(Rejection) -> Range<Int>? {
        let end = Self.lineEnd(in: buffer.span, from: max(scanned, position))
        guard end < buffer.count else {
            scanned = end
            if end - position > limit + 1 { throw excess() }
            return nil
        }
        let start = position
        let hasReturn = end > start && buffer[end - 1] == .carriageReturn
        let stop = hasReturn ? end - 1 : end
        if stop - start > limit { throw excess() }
        guard hasReturn else { throw .malformed("A line ends without a carriage return.") }
        position = end + 1
        return start..<stop
    }

    private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != .lineFeed { index += 1 }
        return index
    }

    /// Removes used bytes from the buffer, unless positions in it are still remembered.
    private mutating func compact() {
        if case .fields = phase { return }
        if position == buffer.count {
            if buffer.capacity > 1 << 16 {
                buffer = []
            } else {
                buffer.removeAll(keepingCapacity: true)
            }
        } else if position >= 1 << 15 {
            buffer.removeSubrange(..<position)
        } else {
            return
        }
        scanned = max(0, scanned - position)
        position = 0
    }
}
