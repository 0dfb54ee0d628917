// The methods that IANA lists. Others are refused with 501 before a path is looked up.

/// The method of a request line; RFC 9110 section 9.
enum Method {
    /// Returns the method as text, or nil for a token that names none.
    ///
    /// A server answers 405 to a method that it recognizes and 501 to one that it does not (RFC
    /// 9110 section 9.1). The recognized methods are those of IANA's registry; names are
    /// case-sensitive. `CONNECT` and `PRI` are registered and left out: they ask for another
    /// protocol on this connection, which this server does not have.
    static func recognize(_ token: Span<UInt8>) -> String? {
        switch token.count {
        case 3: if token.equals("GET") { return "GET" }
        case 4: if token.equals("POST") { return "POST" }
        default: break
        }
        for name in registered where token.equals(name) { return "\(name)" }
        return nil
    }

    /// Whether a request line begins with HEAD, even if the rest of it is wrong: neither an answer
    /// nor a refusal to HEAD has content (RFC 9110 section 9.3.2).
    static func isHead(_ line: Span<UInt8>) -> Bool {
        line.starts(with: "HEAD") && line.count > 4 && !line[4].isToken
    }

    /// The methods of https://www.iana.org/assignments/http-methods, the usual ones first.
    private static let registered: [StaticString] = [
        "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY",
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK",
        "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE",
        "ORDERPATCH", "PROPFIND", "PROPPATCH", "REBIND", "REPORT", "SEARCH", "UNBIND",
        "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]
}
