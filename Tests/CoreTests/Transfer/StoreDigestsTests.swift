// Fields in which object stores and repositories announce digests.
import Downloads
import Testing

@Suite struct StoreDigestsTests {
    private struct Case: CustomTestStringConvertible {
        var fields: [(String, String)]
        var status = 200
        var coding: String?
        var digests: [String]

        var testDescription: String {
            "\(status) \(coding ?? "") "
                + fields.map { "\($0): \($1)" }.joined(separator: " | ")
        }
    }

    private static let sha256 =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    private static let md5Base64 = "1B2M2Y8AsgTpgAmY7PhCfg=="
    private static let google = ("x-goog-hash", "crc32c=4waSgw==,md5=\(md5Base64)")
    private static let amazon: [(String, String, String)] = [
        ("sha256", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256:" + sha256),
        ("sha1", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:" + sha1),
        ("crc32", "y/Q5Jg==", "crc32:cbf43926"), ("crc32c", "4waSgw==", "crc32c:e3069283"),
        ("crc64nvme", "rosUhgp5mIg=", "crc64nvme:ae8b14860a799888"),
    ]
    private static let both = ["crc32c:e3069283", "md5:" + md5]

    private static let cases: [Case] =
        [
            Case(fields: [("x-checksum-sha256", sha256)], digests: ["sha256:" + sha256]),
            Case(
                fields: [("x-checksum-sha256", sha256.uppercased())],
                digests: ["sha256:" + sha256]),
            Case(fields: [("x-checksum-sha1", sha1)], digests: ["sha1:" + sha1]),
            Case(fields: [("x-checksum-md5", md5)], digests: ["md5:" + md5]),
            // The digest is of the artifact, whichever part of it is sent, but not of its coding.
            Case(fields: [("x-checksum-sha1", sha1)], status: 206, digests: ["sha1:" + sha1]),
            Case(fields: [("x-checksum-sha1", sha1)], coding: "gzip", digests: []),
            Case(fields: [("x-checksum-sha1", "none")], digests: []),
            Case(fields: [google], digests: both),
            Case(fields: [google], status: 206, digests: both),
            Case(
                fields: [("x-goog-hash", "crc32c=4waSgw=="), ("x-goog-hash", "md5=\(md5Base64)")],
                digests: both),
            Case(fields: [("x-goog-hash", "crc32c = 4waSgw== , sha9=AA==")], digests: [both[0]]),
            // An object that was gzip in the store and is sent decoded has another digest.
            Case(fields: [google, ("x-goog-stored-content-encoding", "gzip")], digests: []),
            Case(
                fields: [google, ("x-goog-stored-content-encoding", "gzip")], coding: "gzip",
                digests: both),
            Case(
                fields: [google, ("x-goog-stored-content-encoding", "identity")], digests: both),
            Case(fields: [google], coding: "br", digests: []),
            Case(fields: [("x-amz-checksum-sha256", "AAAA-3")], digests: []),
            Case(fields: [("x-amz-checksum-crc32", "y/Q5Jg==-3")], digests: []),
            Case(
                fields: [
                    ("x-amz-checksum-crc32", "y/Q5Jg=="), ("x-amz-checksum-type", "COMPOSITE"),
                ], digests: []),
            Case(
                fields: [
                    ("x-amz-checksum-type", "FULL_OBJECT"), ("x-amz-checksum-crc32", "y/Q5Jg=="),
                ], digests: ["crc32:cbf43926"]),
        ]
        + amazon.flatMap { name, value, digest in
            [
                Case(fields: [("x-amz-checksum-" + name, value)], digests: [digest]),
                Case(fields: [("x-amz-checksum-" + name, value)], status: 206, digests: []),
            ]
        }

    @Test(arguments: cases)
    private func readsTheDigestsOfTheBytesThatAreSent(_ each: Case) {
        var facts = ResponseFacts(status: each.status, url: "https://example.com/")
        facts.contentEncoding = each.coding
        facts.storeFields = each.fields.map { StoreDigests.Field(name: $0, value: $1) }
        #expect(facts.wholeDigests.map(\.text) == each.digests)
        for (name, _) in each.fields { #expect(StoreDigests.has(name)) }
    }

    @Test func otherFieldsAreNoDigests() {
        for name in ["x-checksum", "x-amz-checksum-", "etag", "x-goog-hash2", "x-amz-meta-sha256"] {
            #expect(!StoreDigests.has(name))
        }
    }
}
