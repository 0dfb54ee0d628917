// Digest fields as origins write them.
import Core
import Testing

@Suite struct RepresentationDigestTests {
    /// SHA-256, SHA-512 and MD5 of no bytes, as the RFCs print them.
    private static let sha256 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let sha512 =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    private static let md5 = "1B2M2Y8AsgTpgAmY7PhCfg=="

    private func named(
        repr: String? = nil, digest: String? = nil, md5: String? = nil, status: Int = 200,
        coding: String? = nil
    ) -> String? {
        var facts = ResponseFacts(status: status, url: "https://example.com/")
        facts.reprDigest = repr
        facts.digest = digest
        facts.contentMD5 = md5
        facts.contentEncoding = coding
        return RepresentationDigest.named(in: facts)?.text
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

    @Test func theBestOneCounts() {
        #expect(
            named(
                repr: "sha-512=:\(Self.sha512):", digest: "SHA-256=\(Self.sha256)", md5: Self.md5)
                == sha256Text)
        #expect(named(repr: "sha-512=:\(Self.sha512):", md5: Self.md5)?.hasPrefix("sha512") == true)
    }

    @Test func aPartsMD5IsNotTheWholes() {
        #expect(named(md5: Self.md5, status: 206) == nil)
        #expect(named(repr: "sha-256=:\(Self.sha256):", status: 206) == sha256Text)
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

    @Test func codedContentIsNotCompared() {
        #expect(named(repr: "sha-256=:\(Self.sha256):", coding: "gzip") == nil)
        #expect(named(repr: "sha-256=:\(Self.sha256):", coding: "Identity") == sha256Text)
    }
}
