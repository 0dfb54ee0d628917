// The reason why a URL was refused.

/// The fault of a URL; the reason is stable, the sentence is for people.
package struct SourceURLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of fault.
    package enum Reason: String, Sendable {
        /// Not an absolute `http://` or `https://` URL.
        case unsupportedScheme = "unsupported_scheme"
        /// A user name or password before the host.
        case userinfo
        /// No host, or one that is neither a name nor an address.
        case invalidHost = "invalid_host"
        /// A host with bytes outside ASCII.
        case hostNotASCII = "host_not_ascii"
        /// A port that is not a number from 1 to 65535.
        case invalidPort = "invalid_port"
        /// A byte that no URL may hold: a space, a control character, a backslash.
        case invalidCharacter = "invalid_character"
        /// Longer than ``SourceURL/bytesMax``.
        case tooLong = "too_long"
        /// Not the shape of a URL.
        case malformed
    }

    /// The fault.
    package let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// One sentence for the person who wrote the URL.
    package var description: String {
        switch reason {
        case .unsupportedScheme: "Give an absolute URL that begins with http:// or https://."
        case .userinfo:
            "Remove the user name and password from the URL, because URLs are stored and shown. "
                + "Give them in the member authorization of the download."
        case .invalidHost: "Write the host as a DNS name, an IPv4 address or an IPv6 address in []."
        case .hostNotASCII: "Write an internationalised host name in its xn-- form."
        case .invalidPort: "Write the port as a number from 1 to 65535, or leave it out."
        case .invalidCharacter:
            "Percent-encode spaces, control characters and backslashes in the URL."
        case .tooLong: "Shorten the URL to at most \(SourceURL.bytesMax) bytes."
        case .malformed: "Write the URL as http://host/path or https://host/path."
        }
    }
}
