// One address of mail, as it stands in headers and in the dialogue of SMTP.

/// An address such as `night@example.org`: plain ASCII, without quotation marks and comments.
///
/// Every character is one that is safe in a header and in a command of SMTP.
package struct MailAddress: Equatable, Sendable {
    /// The most bytes of an address (RFC 5321, section 4.5.3.1).
    package static let bytesAtMost = 254
    /// The form, for refusals.
    package static let rule =
        "must be one address such as night@example.org: letters, digits and the usual signs before "
        + "the @, and a name of DNS behind it (an international one in its xn-- form)"

    /// The scheme of a URL with an address.
    private static let scheme = "mailto:"

    /// The address.
    package let text: String
    /// The name of DNS behind the `@`.
    package let domain: String

    /// Reads an address.
    ///
    /// - Returns: nil for any other text, also for one with a display name.
    package init?(_ text: String) {
        guard text.utf8.count <= MailAddress.bytesAtMost,
            let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        else { return nil }
        let local = text[..<at]
        let domain = text[text.utf8.index(after: at)...]
        guard (1...64).contains(local.utf8.count), MailAddress.areAtoms(local),
            MailAddress.isDomain(domain)
        else { return nil }
        self.text = text
        self.domain = String(domain)
    }

    /// Reads a URL `mailto:` with one address and nothing else.
    package init?(url: String) {
        guard url.prefix(MailAddress.scheme.count).lowercased() == MailAddress.scheme else {
            return nil
        }
        let address = url.dropFirst(MailAddress.scheme.count)
        // Slashes are signs of an address, but here they would begin a host.
        guard !address.hasPrefix("//") else { return nil }
        self.init(String(address))
    }

    private static func areAtoms(_ local: Substring) -> Bool {
        local.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty
                && atom.utf8.allSatisfy { isAlphanumeric($0) || signs.contains($0) }
        }
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static let signs = Array("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
