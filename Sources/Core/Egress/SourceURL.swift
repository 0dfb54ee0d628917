// A URL that may be fetched, taken apart: the one reader of URLs. Rows keep their text.

/// An absolute http or https URL without user information and fragment (RFC 3986, WHATWG hosts).
///
/// What is ambiguous between parsers is refused rather than repaired, so that the host that is
/// judged is the host that is connected to.
package struct SourceURL: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes that a URL may have.
    package static let bytesMax = 8192

    /// The two ways to fetch.
    package enum Scheme: String, Sendable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https

        /// The port without one in the URL.
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

    /// `scheme://host:port`, the port always written: what limits and cool-downs count by.
    package var origin: String { "\(scheme.rawValue)://\(authorityHost):\(port)" }

    /// The whole URL in its canonical spelling.
    package var description: String {
        port == scheme.defaultPort
            ? "\(scheme.rawValue)://\(authorityHost)\(target)"
            : "\(scheme.rawValue)://\(authorityHost):\(port)\(target)"
    }

    /// Whether two URLs share scheme, host and port (RFC 6454).
    package func hasSameOrigin(as other: SourceURL) -> Bool {
        scheme == other.scheme && port == other.port && host == other.host
    }

    private var authorityHost: String { address?.family == .v6 ? "[\(host)]" : host }

    init(scheme: Scheme, host: String, port: Int, target: String, address: IPAddress?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
        self.address = address
    }
}
