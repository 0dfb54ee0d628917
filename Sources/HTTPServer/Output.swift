// The bytes that wait to be sent on one connection.
internal import CPlatform
internal import Glibc
internal import HTTPWire
internal import Platform

/// The output queue of one socket: heads and small bodies, then at most one large body.
struct Output {
    /// The result of a write.
    enum Progress {
        /// Everything is written.
        case done
        /// The socket is full, or the connection used up its share of this turn; `moved` if any
        /// byte was sent.
        case blocked(moved: Bool)
        /// The connection is lost, or a file is shorter than announced.
        case failed
    }

    /// Bodies up to this many bytes are copied behind their head, so that one write carries both.
    static let smallBodyBytes = 1 << 15
    /// The most bytes that one connection may write before others get their turn.
    static let turnBytes = 1 << 20

    var bytes: [UInt8] = []
    private var sent = 0
    private var content = Body.none
    private var contentSent: Int64 = 0

    var isEmpty: Bool { sent == bytes.count && !hasContent }

    /// Whether a file or stream waits, after which no further answer can be added.
    var hasContent: Bool { contentSent < content.length ?? 0 }

    /// Adds a body behind the bytes.
    mutating func append(_ body: Body) {
        precondition(!hasContent, "one body at a time")
        if case .bytes(let small) = body, small.count <= Self.smallBodyBytes {
            bytes.append(contentsOf: small)
        } else {
            content = body
            contentSent = 0
        }
    }

    /// The bytes that wait, without a large body.
    var waitingBytes: Int { bytes.count - sent }

    /// Adds the next part of a streamed body; the last part may be empty.
    mutating func append(part: [UInt8], isChunked: Bool, isLast: Bool) {
        precondition(!hasContent, "one body at a time")
        if sent >= Self.smallBodyBytes {
            bytes.removeSubrange(..<sent)
            sent = 0
        }
        if isChunked {
            if !part.isEmpty { ResponseSerializer.appendChunk(part, to: &bytes) }
            if isLast { bytes.append(contentsOf: ResponseSerializer.lastChunk) }
        } else {
            bytes.append(contentsOf: part)
        }
    }

    /// Writes as much as the socket takes.
    mutating func write(to socket: Int32) -> Progress {
        var turn = 0
        while !isEmpty {
            let (count, isAll) = turn < Self.turnBytes ? writeSome(to: socket) : (0, false)
            if count > 0 {
                turn += count
                // The socket took all it had room for: one more call would only return EAGAIN.
                guard isAll else { return .blocked(moved: true) }
                continue
            }
            let failure = Errno.current
            if turn >= Self.turnBytes { return .blocked(moved: true) }
            if count == 0 { return .failed }
            if failure == .wouldBlock { return .blocked(moved: turn > 0) }
            if failure != .interrupted { return .failed }
        }
        reset()
        return .done
    }

    /// Writes with one system call.
    ///
    /// - Returns: the bytes moved, 0 at an unexpected end of a file, -1 for an error; and whether
    ///   these are all that were to be moved.
    private mutating func writeSome(to socket: Int32) -> (count: Int, isAll: Bool) {
        if sent < bytes.count {
            let flags =
                Int32(MSG_NOSIGNAL)
                | (hasContent ? Int32(MSG_MORE) : 0)
            let count = Self.send(bytes, from: sent, to: socket, flags: flags)
            sent += max(0, count)
            return (count, sent == bytes.count)
        }
        let (count, most): (Int, Int)
        switch content {
        case .none, .stream: preconditionFailure("there is something to write")
        case .bytes(let large):
            most = large.count - Int(contentSent)
            count = Self.send(
                large, from: Int(contentSent), to: socket, flags: Int32(MSG_NOSIGNAL))
        case .file(let region):
            var offset = off_t(region.offset + contentSent)
            most = Int(min(region.length - contentSent, Int64(Self.turnBytes)))
            count = unsafe sendfile(socket, region.descriptor, &offset, most)
            if count > 0, contentSent + Int64(count) == region.length { region.sent() }
        }
        contentSent += Int64(max(0, count))
        return (count, count == most)
    }

    private static func send(
        _ bytes: [UInt8], from start: Int, to socket: Int32, flags: Int32
    ) -> Int {
        unsafe bytes.withUnsafeBytes { room in
            unsafe Glibc.send(
                socket, UnsafeRawBufferPointer(rebasing: room[start...]).baseAddress,
                room.count - start, flags)
        }
    }

    private mutating func reset() {
        if bytes.capacity > Self.smallBodyBytes {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        sent = 0
        content = .none
        contentSent = 0
    }
}
