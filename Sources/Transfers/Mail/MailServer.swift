// The operator's server of mail.
internal import Base

/// A server that takes mail, with the credentials for it.
///
/// It has no description, so that no log gets the password.
package struct MailServer: Sendable {
    /// The form of its URL.
    package static let rule =
        "must be smtp://HOST:PORT (587 without a port) or smtps://HOST:PORT (465); before the HOST "
        + "may stand USER:PASSWORD@, percent-encoded"

    /// The URL for libcurl, without credentials.
    package let url: String
    /// Whether nothing is sent without TLS.
    package let needsTLS: Bool
    /// The user; nil if the server wants none.
    package let user: String?
    /// The password; nil without a user.
    package let password: String?

    /// Reads a URL.
    ///
    /// Over `smtp`, TLS begins with STARTTLS if the server offers it; credentials leave this
    /// machine only over TLS.
    ///
    /// - Returns: nil for any other text.
    package init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "smtp" || scheme == "smtps" else { return nil }
        var rest = text[mark.upperBound...]
        if rest.hasSuffix("/") { rest.removeLast() }
        let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = parts.last, let server = MailServer.place(place) else {
            return nil
        }
        if parts.count == 2 {
            let names = parts[0].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard names.count == 2, let user = MailServer.decoded(names[0]), !user.isEmpty,
                let password = MailServer.decoded(names[1])
            else { return nil }
            (self.user, self.password) = (user, password)
        } else {
            (user, password) = (nil, nil)
        }
        let standard = scheme == "smtps" ? 465 : 587
        url = "\(scheme)://\(server.authorityHost):\(MailServer.port(of: place) ?? standard)"
        needsTLS = scheme == "smtps" || user != nil && !MailServer.isHere(server)
    }

    /// The host and port; nil for anything else.
    private static func place(_ text: Substring) -> SourceURL? {
        guard !text.contains("/"), !text.contains("?"), !text.contains("#") else { return nil }
        do throws(SourceURLError) {
            return try SourceURL(parsing: "http://\(text)/")
        } catch {
            return nil
        }
    }

    /// The port that is written; nil for none.
    private static func port(of text: Substring) -> Int? {
        guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else { return nil }
        return Int(text[text.index(after: colon)...])
    }

    /// Whether a server is on this machine.
    private static func isHere(_ server: SourceURL) -> Bool {
        server.host == "localhost" || server.host == "::1"
            || server.isLiteralAddress && server.host.hasPrefix("127.")
    }

    /// A text without percent-encoding, nor control characters; nil for a malformed one.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.utf8.count == 2,
                let value = UInt8(digits, radix: 16)
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
