// Request headers that callers may not send, and the header lines of requests.
internal import Base
internal import Downloads

/// The rules for request headers (RFC 9110 section 5, RFC 9112).
enum HeaderRules {
    /// Whether a caller may send the header: see `HeaderFieldRules`.
    static func allows(name: String, value: String) -> Bool {
        HeaderFieldRules.refusal(of: name) == nil && allows(value: value)
    }

    /// Whether a value has no control character but the tab.
    static func allows(value: String) -> Bool { HeaderFieldRules.allows(value: value) }

    /// The lines of every request; libcurl omits a header whose line ends with its colon.
    static let plain: [FieldValue] = ["Accept-Encoding: identity", "Expect:"]

    /// The lines for one hop.
    ///
    /// - Parameters:
    ///   - request: what the caller asked for.
    ///   - hop: the hop, a POST or a PUT where it sends a body.
    /// - Returns: the lines, or nil when ``plain`` will do.
    static func lines(
        for request: TransferRequest, at hop: Hop
    ) -> [FieldValue]? {
        var headers = request.signedHeaders(at: hop)
        let sendsBody = hop.method.takesBody
        let given = headers.first { $0.isNamed("Cookie") }?.value
        let (cookie, authorization) = request.remembered(at: hop, with: given)
        if cookie != nil { headers.removeAll { $0.isNamed("Cookie") } }
        guard
            !headers.isEmpty || request.rangeStart != nil || sendsBody || cookie != nil
                || authorization != nil
        else { return nil }
        var lines = plain
        if hop.expectsContinue {
            lines.removeAll { $0 == "Expect:" }
            lines.append("Expect: 100-continue")
        }
        // libcurl sends an empty value only for a line that ends with a semicolon.
        lines += headers.map {
            FieldValue($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)")
        }
        if let cookie { lines.append(cookie.prefixed(by: "Cookie: ")) }
        if let authorization { lines.append(authorization.prefixed(by: "Authorization: ")) }
        if let start = request.rangeStart {
            let end = request.rangeEnd.map { String($0) } ?? ""
            lines.append(FieldValue("Range: bytes=\(start)-\(end)"))
            if let validator = request.ifRange {
                lines.append(validator.prefixed(by: "If-Range: "))
            }
        }
        if sendsBody, !headers.contains(where: { $0.isNamed("Content-Type") }) {
            lines.append("Content-Type:")
        }
        return lines
    }
}
