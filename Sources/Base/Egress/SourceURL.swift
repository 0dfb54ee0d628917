// A URL that may be fetched, taken apart: the one reader of URLs. Rows keep their text.

/// An absolute http or https URL without user information and fragment (RFC 3986, WHATWG hosts).
///
/// A text that parsers read differently is refused rather than repaired, so that the host that is
/// judged is the host that is connected to.
package struct SourceURL: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of a URL.
    package static let bytesMax = 8192

    /// The schemes that can be fetched.
    package enum Scheme: String, Sendable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https

        /// The port of a URL that names none.
        package var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme.
    package let scheme: Scheme
    /// The lower-case name without a final dot, or the address in its canonical spelling, without
    /// brackets.
    package let host: String
    /// The port, 1 to 65535.
    package let port: Int
    /// Path and query: begins with `/`, dot segments removed, bytes outside ASCII percent-encoded.
    package let target: String
    /// The address when the host is one, also written as a number such as `0x7f.1`.
    package let address: IPAddress?

    /// Whether the host is an address, so that no name needs to be looked up.
    package var isLiteralAddress: Bool { address != nil }

    /// The whole URL in its canonical spelling.
    package let description: String

    /// `scheme://host:port`, always with the port: the key of limits and cool-downs.
    package var origin: String { Self.text(scheme, authorityHost, port, target: "") }

    /// Whether two URLs share scheme, host and port (RFC 6454).
    package func hasSameOrigin(as other: SourceURL) -> Bool {
        scheme == other.scheme && port == other.port && host == other.host
    }

    /// The host as it stands in a URL, an IPv6 address in brackets.
    package var authorityHost: String { Self.authorityHost(host, address) }

    /// Puts a URL together; the text that it was read from is kept where it is canonical.
    init(
        scheme: Scheme, host: String, port: Int, target: String, address: IPAddress?,
        from text: String
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
        self.address = address
        let shown = port == scheme.defaultPort ? nil : port
        let authority = Self.authorityHost(host, address)
        let isCanonical = Self.isCanonical(text, scheme, authority, shown, target: target)
        description = isCanonical ? text : Self.text(scheme, authority, shown, target: target)
    }

    private static func authorityHost(_ host: String, _ address: IPAddress?) -> String {
        address?.family == .v6 ? "[\(host)]" : host
    }

    private static func text(
        _ scheme: Scheme, _ host: String, _ port: Int?, target: String
    ) -> String {
        var text = ""
        text.reserveCapacity(scheme.rawValue.utf8.count + host.utf8.count + target.utf8.count + 9)
        text += scheme.rawValue
        text += "://"
        text += host
        if let port {
            text += ":"
            text += String(port)
        }
        text += target
        return text
    }

    /// Whether a text equals the canonical text of the parts.
    private static func isCanonical(
        _ text: String, _ scheme: Scheme, _ host: String, _ port: Int?, target: String
    ) -> Bool {
        let text = text.utf8.span
        var place = 0
        guard has(scheme.rawValue, in: text, at: &place), has("://", in: text, at: &place),
            has(host, in: text, at: &place)
        else { return false }
        if let port {
            guard has(":", in: text, at: &place), has(String(port), in: text, at: &place) else {
                return false
            }
        }
        return has(target, in: text, at: &place) && place == text.count
    }

    /// Whether a text has a part at a place; if so, the place is moved behind it.
    private static func has(_ part: String, in text: Span<UInt8>, at place: inout Int) -> Bool {
        let part = part.utf8.span
        guard text.count - place >= part.count else { return false }
        for offset in part.indices where text[place + offset] != part[offset] { return false }
        place += part.count
        return true
    }
}
