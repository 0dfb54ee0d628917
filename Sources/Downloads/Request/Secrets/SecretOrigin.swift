// The origin that a secret was given for.
package import Base

/// Scheme, host and port, by which secrets are bound: http on port 80 and https on port 443 of one
/// host are one origin, all else is as in RFC 6454.
///
/// Hosts come from `SourceURL`: in lower case, without a final dot, addresses in one spelling,
/// names in ASCII.
package struct SecretOrigin: Equatable, Sendable, CustomStringConvertible {
    /// `https://host` for the usual ports, `scheme://host:port` for others.
    package let description: String

    /// The origin of a URL.
    package init(of url: SourceURL) {
        description =
            url.port == url.scheme.defaultPort ? "https://" + url.authorityHost : url.origin
    }

    /// Reads a URL, or a stored origin; nil for a text that is no URL.
    package init?(of text: String) {
        do throws(SourceURLError) {
            self.init(of: try SourceURL(parsing: text))
        } catch {
            return nil
        }
    }

    /// Whether two URLs have one origin; false if one of them cannot be read.
    package static func isOne(_ first: String, _ second: String) -> Bool {
        guard let first = SecretOrigin(of: first), let second = SecretOrigin(of: second) else {
            return false
        }
        return first == second
    }
}
