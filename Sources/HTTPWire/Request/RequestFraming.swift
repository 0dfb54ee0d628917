// The framing of a message: where a request ends, and whether the connection persists.

/// The header fields that decide framing, gathered line by line; RFC 9112 sections 3.2, 6 and 9.
struct RequestFraming {
    private(set) var host: String?
    private(set) var length: Int?
    private(set) var isChunked = false
    private(set) var expectsContinue = false
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private var hasCoding = false
    private var hasOddExpectation = false

    /// Notes a field line if it decides framing.
    mutating func note(name: Span<UInt8>, value: Span<UInt8>) throws(Rejection) {
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"): try noteHost(value)
        case 6 where name.equalsIgnoringCase("expect"): noteExpectation(value)
        case 10 where name.equalsIgnoringCase("connection"): noteConnection(value)
        case 14 where name.equalsIgnoringCase("content-length"): try noteLength(value)
        case 17 where name.equalsIgnoringCase("transfer-encoding"): try noteCoding(value)
        default: break
        }
    }

    /// Checks the fields together once the last line is in.
    func check(version: HTTPVersion) throws(Rejection) {
        guard host != nil || version == .http10 else {
            throw .malformed("A request needs a Host header.")
        }
        if hasCoding {
            guard isChunked else { throw .malformed("Transfer-Encoding names no coding.") }
            guard length == nil else {
                throw .malformed("Content-Length and Transfer-Encoding cannot be sent together.")
            }
            guard version == .http11 else {
                throw .malformed("HTTP/1.0 has no Transfer-Encoding.")
            }
        }
        guard !hasOddExpectation || version == .http10 else { throw .expectation }
    }

    private mutating func noteHost(_ value: Span<UInt8>) throws(Rejection) {
        guard host == nil else { throw .malformed("There is more than one Host header.") }
        guard Authority.isValid(value) else {
            throw .malformed("Host is not a host with an optional port.")
        }
        host = value.text
    }

    /// Notes `Content-Length`: digits only, no leading zero, one line; nothing is repaired.
    private mutating func noteLength(_ value: Span<UInt8>) throws(Rejection) {
        guard length == nil else { throw .malformed("There is more than one Content-Length.") }
        guard value.count > 0, value.count <= 19, value.count == 1 || value[0] != 0x30 else {
            throw .malformed("Content-Length is not a plain number.")
        }
        var number: UInt64 = 0
        for index in 0..<value.count {
            guard value[index].isDigit else {
                throw .malformed("Content-Length is not a plain number.")
            }
            number = number * 10 + UInt64(value[index] - 0x30)  // 19 digits fit in UInt64.
        }
        length = Int(clamping: number)
    }

    /// Notes `Transfer-Encoding`: one `chunked` and nothing else; RFC 9112 section 6.1 lets a
    /// server refuse other codings.
    ///
    /// Several lines form one list, in which empty elements are ignored.
    private mutating func noteCoding(_ value: Span<UInt8>) throws(Rejection) {
        hasCoding = true
        var hasOther = false
        var start = 0
        while let place = value.nextElement(from: &start) {
            let item = value.extracting(place)
            guard (0..<item.count).allSatisfy({ item[$0].isToken }) else {
                throw .malformed("Transfer-Encoding is not a list of plain codings.")
            }
            guard !isChunked else { throw .malformed("Something follows the chunked coding.") }
            if item.equalsIgnoringCase("chunked") { isChunked = true } else { hasOther = true }
        }
        guard !hasOther else {
            throw .notImplemented("Only the chunked transfer coding is implemented.")
        }
    }

    /// Notes `Expect`, a list (RFC 9110 section 10.1.1) of which only `100-continue` can be met.
    private mutating func noteExpectation(_ value: Span<UInt8>) {
        var start = 0
        while let place = value.nextElement(from: &start) {
            if value.extracting(place).equalsIgnoringCase("100-continue") {
                expectsContinue = true
            } else {
                hasOddExpectation = true
            }
        }
    }

    private mutating func noteConnection(_ value: Span<UInt8>) {
        var start = 0
        while let place = value.nextElement(from: &start) {
            let option = value.extracting(place)
            if option.equalsIgnoringCase("close") { saysClose = true }
            if option.equalsIgnoringCase("keep-alive") { saysKeepAlive = true }
        }
    }
}
