// The origin that a secret was given for.

/// Scheme, host and port as far as secrets go: http on port 80 and https on port 443 of one host
/// are one origin, all else is as in RFC 6454.
///
/// Hosts come from `SourceURL`: in small letters, without a final dot, addresses in one spelling,
/// names in ASCII.
package struct SecretOrigin: Equatable, Sendable, CustomStringConvertible {
    /// `https://host` for the usual ports, else `scheme://host:port`.
    package let description: String

    /// The origin of a URL.
    package init(of url: SourceURL) {
        description =
            url.port == url.scheme.defaultPort ? "https://" + url.authorityHost : url.origin
    }

    /// The origin of a URL, or of an origin that was stored; nil for what is no URL.
    package init?(of text: String) {
        do throws(SourceURLError) {
            self.init(of: try SourceURL(parsing: text))
        } catch {
            return nil
        }
    }

    /// Whether two URLs lead to one origin; false where one of them cannot be read.
    package static func isOne(_ first: String, _ second: String) -> Bool {
        guard let first = SecretOrigin(of: first), let second = SecretOrigin(of: second) else {
            return false
        }
        return first == second
    }
}
