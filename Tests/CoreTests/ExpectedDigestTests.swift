// The digest that a client gives.
import Downloads
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

    /// A text, and the digest in it.
    private static let forms: [(String, String)] = [
        ("sha1:" + digits.prefix(40), "sha1:" + digits.prefix(40)),
        ("CRC32C:E3069283", "crc32c:e3069283"), ("crc32:cbf43926", "crc32:cbf43926"),
        ("crc64nvme:ae8b14860a799888", "crc64nvme:ae8b14860a799888"),
        ("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", empty),
        ("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (empty.dropFirst(7) + "  a file", empty), (empty.dropFirst(7) + " *a file", empty),
        (empty.dropFirst(7) + "  -\n", empty), ("\\" + empty.dropFirst(7) + "  a\\nb", empty),
        ("SHA256 (a (b) = c) = " + empty.dropFirst(7), empty), (String(empty.dropFirst(7)), empty),
        (digits + digits, "sha512:" + digits + digits),
        (digits.prefix(40) + "  a", "sha1:" + digits.prefix(40)),
        (digits.prefix(32) + "  a", "md5:" + digits.prefix(32)),
    ]
    private static let empty =
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(arguments: forms)
    func readsTheFormsInWhichDigestsArePublished(_ text: String, _ digest: String) throws {
        #expect(try ExpectedDigest(text).text == digest)
        #expect(try ExpectedDigest(digest).text == digest)
    }

    @Test(arguments: DigestAlgorithm.allCases)
    func eachAlgorithmHasItsNumberOfDigits(_ algorithm: DigestAlgorithm) throws {
        let digits = String((Self.digits + Self.digits).prefix(algorithm.digitCount))
        let text = algorithm.rawValue + ":" + digits
        #expect(try ExpectedDigest(text).text == text)
        for other in [String(digits.dropLast()), digits + "0"] {
            #expect(throws: DigestError.self) {
                try ExpectedDigest(algorithm.rawValue + ":" + other)
            }
        }
    }

    /// The prefix, the number of digits, the text after them, and words of the finding.
    private static let refused: [(String, Int, String, String)] = [
        ("", 0, "", "must be"), ("", 63, "", "must be"), ("sha-256:", 64, "", "must be"),
        ("", 8, "", "must be"), ("", 64, "  ", "must be"), ("", 64, " a", "must be"),
        ("", 64, "  a\nb", "must be"), ("sha256-", 64, "", "base64 of 32"),
        ("sha384-", 64, "", "must be"), ("sha256 (a) = ", 63, "", "but has 63"),
        ("sha1:", 64, "", "sha1 needs 40"), ("crc32c:", 16, "", "but has 16"),
        ("md5:", 64, "", "md5 needs 32"), ("md5:", 31, "", "but has 31"),
        ("sha512:", 64, "", "sha512 needs 128"), (" sha256:", 64, "", "must be"),
        ("sha256:", 0, "", "but has 0"),
        ("sha256:", 63, "", "but has 63"), ("sha256:", 64, "0", "but has 65"),
        ("sha256: ", 62, "", "but has 63"),
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
