// The first line of a request.

/// The method, target and version of a request line, without its line end; RFC 9112 section 3.
struct RequestLine {
    var method: String
    var path: String
    var query: String?
    /// The authority of an absolute-form target.
    var authority: String?
    var version: HTTPVersion

    /// Reads a line strictly: two single spaces, no repair.
    static func parse(_ line: Span<UInt8>) throws(Rejection) -> RequestLine {
        let first = index(of: .space, in: line, from: 0)
        guard first < line.count else { throw .malformed("The request line has no target.") }
        for position in 0..<first where !line[position].isToken {
            throw .malformed("The method is not a token.")
        }
        let second = index(of: .space, in: line, from: first + 1)
        guard first > 0, second < line.count, second > first + 1 else {
            throw .malformed("The request line is not method, target and version.")
        }
        let version = try parseVersion(line.extracting((second + 1)..<line.count))
        let method = Method.recognize(line.extracting(0..<first))
        guard let method else { throw .unknownMethod }
        var target = Target(method: method)
        try target.parse(line.extracting((first + 1)..<second))
        return RequestLine(
            method: method, path: target.path, query: target.query, authority: target.authority,
            version: version)
    }

    private static func index(of byte: UInt8, in line: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < line.count, line[position] != byte { position += 1 }
        return position
    }

    /// Reads `HTTP/` digit `.` digit; RFC 9112 section 2.3.
    private static func parseVersion(_ text: Span<UInt8>) throws(Rejection) -> HTTPVersion {
        guard text.count == 8, text.starts(with: "HTTP/"), text[5].isDigit, text[6] == 0x2e,
            text[7].isDigit
        else { throw .malformed("The version is not of the form HTTP/1.1.") }
        guard text[5] == 0x31 else { throw .version }
        return text[7] == 0x30 ? .http10 : .http11
    }
}
