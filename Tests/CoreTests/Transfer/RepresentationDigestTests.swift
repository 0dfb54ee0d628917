// Digest fields as origins write them.
import Downloads
import Testing

@Suite struct RepresentationDigestTests {
    /// SHA-256, SHA-512 and MD5 of no bytes, as the RFCs print them.
    private static let sha256 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let sha512 =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    private static let md5 = "1B2M2Y8AsgTpgAmY7PhCfg=="

    private func all(
        repr: String? = nil, content: String? = nil, digest: String? = nil, md5: String? = nil,
        status: Int = 200, coding: String? = nil
    ) -> [String] {
        var facts = ResponseFacts(status: status, url: "https://example.com/")
        facts.reprDigest = repr
        facts.contentDigest = content
        facts.digest = digest
        facts.contentMD5 = md5
        facts.contentEncoding = coding
        return facts.wholeDigests.map(\.text)
    }

    private func named(
        repr: String? = nil, digest: String? = nil, md5: String? = nil, status: Int = 200,
        coding: String? = nil
    ) -> String? {
        all(repr: repr, digest: digest, md5: md5, status: status, coding: coding).first
    }

    private let sha256Text =
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private let md5Text = "md5:d41d8cd98f00b204e9800998ecf8427e"

    @Test func readsEachField() {
        #expect(named(repr: "sha-256=:\(Self.sha256):") == sha256Text)
        #expect(named(repr: "sha-256=:\(Self.sha256):;a=1 , x=:AA==:") == sha256Text)
        #expect(named(digest: "SHA-256=\(Self.sha256)") == sha256Text)
        #expect(named(digest: "unixsum=3, \tsha-256=\(Self.sha256)") == sha256Text)
        #expect(named(md5: Self.md5) == md5Text)
        #expect(named(digest: "MD5=\(Self.md5)") == md5Text)
        #expect(named(repr: "sha-512=:\(Self.sha512):")?.hasPrefix("sha512:cf83e1357e") == true)
    }

    @Test func allDigestFieldsAreRead() {
        let sha256 = "sha-256=:\(Self.sha256):"
        let sha512 = "sha-512=:\(Self.sha512):"
        let found = all(
            repr: sha512 + ", " + sha256, content: sha256, digest: "SHA-512=\(Self.sha512)",
            md5: Self.md5)
        #expect(found.count == 5 && Set(found).count == 3)
        #expect(found.filter { $0 == sha256Text }.count == 2 && found.last == md5Text)
        // Two lines that contradict each other are two digests.
        let other = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        #expect(Set(all(repr: sha256 + ", " + other)).count == 2)
        #expect(all(md5: Self.md5 + ", " + "AAAAAAAAAAAAAAAAAAAAAA==").count == 2)
    }

    @Test(arguments: ["sha-256", "SHA-256", "sha256", "Sha256", "id-sha-256", "ID-SHA-256"])
    func legacyDigestNamesAreAccepted(_ name: String) {
        #expect(named(digest: "\(name)=\(Self.sha256)") == sha256Text)
        #expect(named(repr: "\(name)=:\(Self.sha256):") == sha256Text)
        // A digest without the coding tells nothing of coded bytes.
        let isPlain = name.lowercased().hasPrefix("id-")
        #expect((named(digest: "\(name)=\(Self.sha256)", coding: "gzip") == nil) == isPlain)
    }

    /// The digest of the content of a 206 belongs to the part.
    @Test func contentDigestOfAPartIsNotTheRepresentations() {
        var facts = ResponseFacts(status: 206, url: "https://example.com/")
        facts.contentMD5 = Self.md5
        facts.contentDigest = "sha-256=:\(Self.sha256):"
        #expect(facts.wholeDigests.isEmpty)
        #expect(facts.messageDigests.map(\.text) == [sha256Text, md5Text])
        facts.reprDigest = "sha-256=:\(Self.sha256):"
        #expect(facts.wholeDigests.map(\.text) == [sha256Text])
        facts.status = 203
        #expect(facts.wholeDigests.count == 3)
    }

    @Test(arguments: [
        "", "sha-256", "sha-256=", "sha-256=:", "sha-256=::", "sha-256=:AA==:", "sha-1=:AAAA:",
        "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF*=:",
        "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU:", "sha-256=\"x\"", ",,,", "=",
    ])
    func whatCannotBeReadIsNoDigest(_ field: String) {
        #expect(named(repr: field) == nil)
        #expect(named(digest: field) == nil)
        #expect(named(md5: field) == nil)
    }

    /// Digests are of the bytes as they are sent (RFC 9530 section 2), and these bytes are kept.
    @Test func digestOfCodedContentIsCompared() {
        for coding in ["gzip", "Identity", nil] {
            #expect(named(repr: "sha-256=:\(Self.sha256):", coding: coding) == sha256Text)
        }
    }
}
