// The request target: the second word of the request line.

/// A parsed request target; RFC 9112 section 3.2.
struct Target {
    let method: String
    private(set) var path = "/"
    private(set) var query: String?
    private(set) var authority: String?

    init(method: String) { self.method = method }

    /// Reads origin-form, absolute-form, and `*` for OPTIONS.
    mutating func parse(_ text: Span<UInt8>) throws(Rejection) {
        if text[0] == .slash {
            try parsePath(text)
        } else if text.equals("*") {
            guard method == "OPTIONS" else {
                throw .malformed("Only OPTIONS may have the target *.")
            }
            path = "*"
        } else {
            try parseAbsolute(text)
        }
    }

    private mutating func parseAbsolute(_ text: Span<UInt8>) throws(Rejection) {
        let start: Int
        if text.startsIgnoringCase(with: "http://") {
            start = 7
        } else if text.startsIgnoringCase(with: "https://") {
            start = 8
        } else {
            throw .malformed("The target is neither a path nor an http URL.")
        }
        var end = start
        while end < text.count, text[end] != .slash, text[end] != .question { end += 1 }
        let host = text.extracting(start..<end)
        guard Authority.isValid(host) else {
            throw .malformed("The authority of the target is not a host with an optional port.")
        }
        authority = host.text
        if end < text.count { try parsePath(text.extracting(end..<text.count)) }
    }

    /// Reads a path (empty only before `?`) and a query, which may contain unescaped brackets, as
    /// browsers and curl send them (URL Standard, section 1.3).
    private mutating func parsePath(_ text: Span<UInt8>) throws(Rejection) {
        var end = text.count
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == .question {
                if end == text.count { end = index }
            } else if byte == .percent {
                guard index + 2 < text.count, text[index + 1].hexValue != nil,
                    text[index + 2].hexValue != nil
                else { throw .malformed("The target has a % without two hexadecimal digits.") }
            } else if !byte.isPath, end == text.count || !byte.isBracket {
                throw .malformed("The target has a character that must be percent-encoded.")
            }
            index += 1
        }
        if end > 0 { path = text.extracting(0..<end).text }
        if end < text.count { query = text.extracting((end + 1)..<text.count).text }
    }
}
