// The digest that the client says its file has.

/// A SHA-256 digest in the form `sha256:` and 64 hexadecimal digits, as sha256sum prints them.
package struct ExpectedDigest: Equatable, Sendable {
    /// 64 lower-case hexadecimal digits.
    package let hexadecimal: String

    /// Reads the form above.
    ///
    /// - Throws: what is wrong, one sentence.
    package init(_ text: String) throws(DigestError) {
        let prefix = "sha256:"
        guard text.lowercased().hasPrefix(prefix) else {
            throw DigestError("must be \"sha256:\" and 64 hexadecimal digits")
        }
        let digits = text.dropFirst(prefix.count).lowercased()
        guard digits.utf8.count == 64 else {
            throw DigestError("sha256 needs 64 hexadecimal digits, got \(digits.utf8.count)")
        }
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw DigestError("sha256 needs hexadecimal digits only")
        }
        hexadecimal = digits
    }

    /// The text form, lower-case.
    package var text: String { "sha256:" + hexadecimal }
}

/// Why a text is no digest.
package struct DigestError: Error, Equatable, Sendable {
    /// What to change.
    package let detail: String

    init(_ detail: String) { self.detail = detail }
}
