// Request headers that callers may not send, and the lines that are sent.
internal import Core

/// The rules for request headers (RFC 9110 section 5, RFC 9112).
enum HeaderRules {
    /// Names that frame the message, steer the connection or belong to the engine.
    static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-range",
        "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a caller may send the header: a token as the name, no control character in the
    /// value, no reserved or `proxy-` name.
    static func allows(name: String, value: String) -> Bool {
        let lowered = name.lowercased()
        return !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && allows(value: value) && !reserved.contains(lowered) && !lowered.hasPrefix("proxy-")
    }

    /// Whether a value has no control character but the tab.
    static func allows(value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
    }

    /// The lines of every request; libcurl leaves a header out whose line ends in its colon.
    static let plain = ["Accept-Encoding: identity", "Expect:"]

    /// The lines for one hop.
    ///
    /// - Parameters:
    ///   - request: what the caller asked for.
    ///   - keepsHeaders: false after a redirect to another origin.
    ///   - sendsBody: whether this hop is a POST.
    /// - Returns: the lines, or nil when ``plain`` will do.
    static func lines(
        for request: TransferRequest, keepsHeaders: Bool, sendsBody: Bool
    ) -> [String]? {
        let headers = keepsHeaders ? request.headers : []
        guard !headers.isEmpty || request.rangeStart != nil || sendsBody else { return nil }
        var lines = plain
        // libcurl sends an empty value only for a line that ends in a semicolon.
        lines += headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if let start = request.rangeStart {
            lines.append("Range: bytes=\(start)-")
            if let validator = request.ifRange { lines.append("If-Range: \(validator)") }
        }
        if sendsBody, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        return lines
    }

    /// Whether a byte may be in a token (RFC 9110 section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }
}
