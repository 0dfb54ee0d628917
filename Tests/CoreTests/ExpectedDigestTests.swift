// The digest that a client gives.
import Core
import Testing

@Suite struct ExpectedDigestTests {
    private static let digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

    @Test(arguments: ["sha256:" + digits, "SHA256:" + digits.uppercased(), "Sha256:" + digits])
    func digestIsNormalizedToLowerCase(_ text: String) throws {
        let digest = try ExpectedDigest(text)
        #expect(digest.hexadecimal == Self.digits)
        #expect(digest.text == "sha256:" + Self.digits)
    }

    @Test func supportedDigestAlgorithmsAreAccepted() throws {
        let long = Self.digits + Self.digits
        let sha512 = try ExpectedDigest("SHA512:" + long)
        #expect(sha512.algorithm == .sha512)
        #expect(sha512.text == "sha512:" + long)
        let md5 = try ExpectedDigest("md5:" + Self.digits.prefix(32))
        #expect(md5.algorithm == .md5)
        #expect(
            ExpectedDigest(.md5, bytes: [UInt8](repeating: 0xa5, count: 16))?.hexadecimal
                == String(repeating: "a5", count: 16))
        #expect(ExpectedDigest(.md5, bytes: [1]) == nil)
    }

    /// Prefix, how many digits, what follows them, and words of the finding.
    private static let refused: [(String, Int, String, String)] = [
        ("", 0, "", "must be"), ("", 64, "", "must be"), ("sha-256:", 64, "", "must be"),
        ("sha1:", 40, "", "must be"), ("md5:", 64, "", "md5 needs 32"), ("md5:", 31, "", "got 31"),
        ("sha512:", 64, "", "sha512 needs 128"), (" sha256:", 64, "", "must be"),
        ("sha256:", 0, "", "got 0"),
        ("sha256:", 63, "", "got 63"), ("sha256:", 64, "0", "got 65"),
        ("sha256: ", 62, "", "got 63"),
        ("sha256:", 63, "g", "digits only"), ("sha256:", 63, "+", "digits only"),
        ("sha256:", 61, "\u{ff10}", "digits only"),
    ]

    @Test(arguments: refused)
    func refuses(_ prefix: String, _ count: Int, _ rest: String, _ words: String) {
        let text = prefix + Self.digits.prefix(count) + rest
        let error = #expect(throws: DigestError.self) { try ExpectedDigest(text) }
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }
}
