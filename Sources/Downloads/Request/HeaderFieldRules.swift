/// The rules for fields of a request (RFC 9110 sections 5 and 7.6, RFC 9112 section 6).
package enum HeaderFieldRules {
    /// The most fields of one request.
    package static let countAtMost = 64
    /// The most bytes of all names and values of one request.
    package static let bytesAtMost = 16_384

    /// Names of fields that frame the message, control the connection or are set by the engine.
    package static let reserved: Set<String> = [
        "accept-encoding", "alt-used", "connection", "content-length", "expect", "host",
        "http2-settings", "if-range", "keep-alive", "range", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The reason why a field of this name is refused; nil if it is allowed.
    package static func refusal(of name: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            return "is not the name of a header field, which has only letters, digits and "
                + "!#$%&'*+-.^_`|~"
        }
        let lowered = name.lowercased()
        guard !reserved.contains(lowered), !lowered.hasPrefix("proxy-") else {
            return "is set by this service, because it belongs to the connection or the framing; "
                + "leave it out"
        }
        return nil
    }

    /// Whether a value has no control character but the tab.
    package static func allows(value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }
    }

    /// Whether a byte may be in a token (RFC 9110 section 5.6.2).
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }
}
