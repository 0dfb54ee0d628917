// Signatures agree with those of the signer of Amazon's own client.
internal import Base
internal import Foundation
internal import ObjectStores
internal import Testing

@Suite struct SignatureV4Tests {
    /// A request with its signature, as Tests/Stores/signatures.py writes it.
    struct Vector: Decodable, Sendable {
        let method: String
        let url: String
        let headers: [[String]]
        let hash: String
        let key: String
        let secret: String
        let token: String?
        let region: String
        let service: String
        let time: Int64
        let seconds: Int?
        let expected: String

        static func all() throws -> [Vector] {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Stores/signatures.json")
            return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        }

        func signature() -> SignatureV4 {
            SignatureV4(
                SigningCredentials(accessKey: key, secretKey: secret, sessionToken: token),
                region: region, service: service, at: Timestamp(seconds: time))
        }
    }

    @Test func signaturesOfRequestsAreThoseOfAnIndependentSigner() throws {
        let vectors = try Vector.all().filter { $0.seconds == nil }
        #expect(vectors.count > 100)
        for vector in vectors {
            let url = try SourceURL(parsing: vector.url)
            #expect(url.description.hasSuffix(url.target))
            let fields = vector.signature().fields(
                method: vector.method, url: url,
                headers: vector.headers.map { (name: $0[0], value: $0[1]) },
                payloadHash: vector.hash)
            #expect(fields.last?.value == vector.expected, "\(vector.url) \(vector.service)")
            #expect(fields.contains { $0.value == vector.hash } == (vector.service == "s3"))
        }
    }

    @Test func signaturesOfPresignedURLsAreThoseOfAnIndependentSigner() throws {
        let vectors = try Vector.all().filter { $0.seconds != nil }
        #expect(vectors.count > 20)
        for vector in vectors {
            let signed = vector.signature().presigned(
                method: vector.method, url: try SourceURL(parsing: vector.url),
                seconds: vector.seconds ?? 0)
            let found = signed.split(separator: "X-Amz-Signature=").last.map(String.init)
            #expect(found == vector.expected, "\(vector.url) \(vector.service)")
        }
    }

    /// Raw characters of a client's URL have the signature of their encoded spelling.
    @Test(arguments: [
        ("http://a.example/a+b=c?x=a+b&y", "http://a.example/a%2Bb%3Dc?y=&x=a%20b"),
        ("http://a.example/a:b@c'(d)?b&a=:/", "http://a.example/a%3Ab%40c%27%28d%29?a=%3A%2F&b="),
        ("http://a.example/%7ea%2fb", "http://a.example/~a/b"),
    ])
    func spellingsOfAURLHaveOneSignature(_ raw: String, _ canonical: String) throws {
        let terms = SignatureV4(
            SigningCredentials(accessKey: "a", secretKey: "b"), region: "r",
            at: Timestamp(seconds: 0))
        func sign(_ url: String) throws -> String? {
            terms.fields(
                method: "GET", url: try SourceURL(parsing: url), headers: [],
                payloadHash: SignatureV4.emptyHash
            ).last?.value
        }
        #expect(try sign(raw) == sign(canonical))
    }

    @Test func aDescriptionOfCredentialsHasNoSecret() {
        let credentials = SigningCredentials(
            accessKey: "AKID", secretKey: "hidden", sessionToken: "hidden")
        #expect("\(credentials)" == "AKID")
    }
}
