// Answers as the bytes that are sent.

/// Writes the head of an answer; RFC 9112 section 4.
package enum ResponseSerializer {
    /// The interim answer that asks for the content; RFC 9110 section 15.2.1.
    package static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The persistence of the connection, as the answer's head states it.
    package enum Persistence: Sendable {
        /// The connection stays open, as HTTP/1.1 assumes.
        case open
        /// The connection stays open, with `Connection: keep-alive` as HTTP/1.0 needs.
        case openDeclared
        /// The connection ends after this answer.
        case close
    }

    /// Appends the status line, the field lines and the empty line.
    ///
    /// `Connection`, `Content-Length`, `Date` and `Transfer-Encoding` among the answer's own fields
    /// are left out, because the server decides them. A control character in a field becomes a
    /// space, so that no value can begin a line of its own.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - date: the value of `Date`, already formatted.
    ///   - persistence: the value of `Connection`.
    ///   - version: the request's; a body without a length is sent in chunks from HTTP/1.1 on.
    ///   - output: where the bytes go.
    package static func appendHead(
        of response: Response, date: [UInt8], persistence: Persistence,
        version: HTTPVersion = .http11, to output: inout [UInt8]
    ) {
        var most = 160 + date.count + StatusPhrase.phrase(response.status).utf8.count
        for (name, value) in response.headers { most += name.utf8.count + value.utf8.count + 4 }
        output.append(addingCapacity: most) { room in
            if response.status == 200 {
                room.append("HTTP/1.1 200 OK\r\nDate: ")
            } else {
                room.append("HTTP/1.1 ")
                room.append(decimal: Int64(response.status))
                room.append(.space)
                room.append(clean: StatusPhrase.phrase(response.status))
                room.append("\r\nDate: ")
            }
            room.append(copying: date.span)
            if hasLength(response.status) {
                if let length = response.body.length {
                    room.append("\r\nContent-Length: ")
                    room.append(decimal: length)
                } else if version == .http11 {
                    room.append("\r\nTransfer-Encoding: chunked")
                }
            }
            switch persistence {
            case .open: break
            case .openDeclared: room.append("\r\nConnection: keep-alive")
            case .close: room.append("\r\nConnection: close")
            }
            for (name, value) in response.headers where !isOwn(name) {
                room.append("\r\n")
                room.append(clean: name)
                room.append(": ")
                room.append(clean: value)
            }
            room.append("\r\n\r\n")
        }
    }

    /// Appends one chunk of a body; RFC 9112 section 7.1.
    ///
    /// - Parameters:
    ///   - bytes: at least one, as none would end the body.
    ///   - output: where the chunk goes.
    package static func appendChunk(_ bytes: [UInt8], to output: inout [UInt8]) {
        precondition(!bytes.isEmpty, "an empty chunk is the last one")
        output.append(contentsOf: String(bytes.count, radix: 16).utf8)
        output.append(.carriageReturn)
        output.append(.lineFeed)
        output.append(contentsOf: bytes)
        output.append(.carriageReturn)
        output.append(.lineFeed)
    }

    /// The end of a body in chunks, without trailers.
    package static let lastChunk = Array("0\r\n\r\n".utf8)

    /// Whether an answer with this status to this kind of request carries its content.
    package static func sendsContent(status: Int, isHead: Bool) -> Bool {
        !isHead && hasLength(status)
    }

    private static func hasLength(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    private static func isOwn(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.utf8.elementsEqual("date".utf8) { $0.asciiLowercased == $1 }
        case 10: name.utf8.elementsEqual("connection".utf8) { $0.asciiLowercased == $1 }
        case 14: name.utf8.elementsEqual("content-length".utf8) { $0.asciiLowercased == $1 }
        case 17: name.utf8.elementsEqual("transfer-encoding".utf8) { $0.asciiLowercased == $1 }
        default: false
        }
    }
}

extension OutputSpan<UInt8> {
    /// Copies bytes.
    @inline(__always)
    fileprivate mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(copying: $0) }
    }

    /// Copies the bytes of a string literal.
    @inline(__always)
    fileprivate mutating func append(_ text: StaticString) {
        unsafe append(
            copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= freeCapacity, "the room is too small")
        guard let source = bytes.baseAddress else { return }
        unsafe withUnsafeMutableBufferPointer { room, count in
            guard let start = room.baseAddress else { return }
            unsafe (start + count).initialize(from: source, count: bytes.count)
            count += bytes.count
        }
    }

    /// Copies a text with a space in place of each character that a field must not contain.
    fileprivate mutating func append(clean text: String) {
        let bytes = text.utf8.span
        guard bytes.indices.contains(where: { !bytes[$0].isFieldValue }) else {
            return append(copying: bytes)
        }
        for place in bytes.indices {
            let byte = bytes[place]
            append(byte.isFieldValue ? byte : .space)
        }
    }

    /// Appends a number in decimal digits.
    fileprivate mutating func append(decimal number: Int64) {
        precondition(number >= 0, "no count is negative")
        var divisor: Int64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(0x30 + number / divisor % 10))
            divisor /= 10
        }
    }
}
