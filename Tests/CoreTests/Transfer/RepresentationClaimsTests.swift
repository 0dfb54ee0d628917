// An answer's claims must agree with the claims of all earlier answers.
import Base
import Downloads
import Testing

@Suite struct RepresentationClaimsTests {
    /// The values that a field may have for each version, in order; nil says nothing.
    private struct Field: Sendable {
        let name: String
        let versions: [String]
        /// Whether a value where none was given shows another version.
        var marks = false
        let set: @Sendable (inout ResponseFacts, String) -> Void
    }

    private static let fields = [
        Field(name: "strong", versions: ["\"a\"", "\"b\""], marks: true) {
            $0.etag = FieldValue($1)
        },
        Field(name: "weak", versions: ["W/\"a\"", "W/\"b\""], marks: true) {
            $0.etag = FieldValue($1)
        },
        Field(name: "kind", versions: ["\"a\"", "W/\"a\""], marks: true) {
            $0.etag = FieldValue($1)
        },
        Field(name: "unquoted", versions: ["a", "b"], marks: true) { $0.etag = FieldValue($1) },
        Field(name: "lines", versions: ["\"a\"", "\"a\", \"b\""], marks: true) {
            $0.etag = FieldValue($1)
        },
        Field(
            name: "date",
            versions: ["Fri, 01 Nov 2019 10:00:00 GMT", "Fri, 01 Nov 2019 10:00:01 GMT"]
        ) { $0.lastModified = $1 },
        Field(name: "total", versions: ["10", "11"]) {
            if $0.status == 200 {
                $0.contentLength = Int64($1)
            } else {
                $0.contentRange = ContentRange("bytes 5-9/\($1)")
            }
        },
        Field(name: "Repr-Digest", versions: ["sha-256=:\(digest(1)):", "sha-256=:\(digest(2)):"]) {
            $0.reprDigest = $1
        },
        Field(name: "Digest", versions: ["SHA-256=\(digest(1))", "SHA-256=\(digest(2))"]) {
            $0.digest = $1
        },
    ]

    private static func digest(_ byte: Int) -> String {
        // 32 bytes: the last of 43 digits has two bits that have to be zero.
        String(repeating: byte == 1 ? "B" : "C", count: 42) + "A="
    }

    private static func claims(
        _ status: Int, _ field: Field, _ version: Int?
    ) -> RepresentationClaims {
        var facts = ResponseFacts(status: status, url: "https://example.com/")
        if let version { field.set(&facts, field.versions[version]) }
        return RepresentationClaims(facts)
    }

    /// Each field with each pair of values, on each pair of statuses.
    @Test(arguments: fields.indices)
    func differingClaimsContradict(_ place: Int) {
        let field = Self.fields[place]
        for (first, second) in [(200, 206), (206, 206), (200, 200), (206, 200)] {
            for one in [nil, 0, 1] as [Int?] {
                for other in [nil, 0, 1] as [Int?] {
                    let known = Self.claims(first, field, one)
                    let said = Self.claims(second, field, other)
                    let appears = one == nil && other != nil && field.marks
                    let differs = one != nil && other != nil && one != other
                    #expect(
                        (known.contradiction(to: said) != nil) == (appears || differs),
                        "\(field.name) \(one ?? -1) \(other ?? -1)")
                    #expect(RepresentationClaims().contradiction(to: said) == nil)
                }
            }
        }
    }

    /// Three answers in any order: the third is compared with both earlier ones.
    @Test(arguments: fields.indices)
    func claimsAreKeptFromEarlierAnswers(_ place: Int) {
        let field = Self.fields[place]
        guard !field.marks else { return }
        var known = Self.claims(200, field, nil)
        known.add(Self.claims(206, field, 0))
        known.add(Self.claims(206, field, nil))
        #expect(known.contradiction(to: Self.claims(206, field, 0)) == nil)
        #expect(known.contradiction(to: Self.claims(206, field, 1)) != nil)
    }

    @Test func validatorsAreKeptPerMirror() {
        var known = Self.claims(200, Self.fields[0], 0)
        known.add(Self.claims(206, Self.fields[6], 0))
        known.validators = Validators()
        for place in [0, 1, 5] {
            #expect(known.contradiction(to: Self.claims(206, Self.fields[place], 1)) == nil)
        }
        #expect(known.contradiction(to: Self.claims(206, Self.fields[6], 1)) != nil)
        #expect(known.contradiction(ofContentTo: Self.claims(206, Self.fields[6], 1)) != nil)
        known.add(Self.claims(206, Self.fields[0], 1))
        #expect(known.ifRange == "\"b\"")
    }

    @Test func digestsAreBounded() {
        var claims = RepresentationClaims()
        for byte in 0..<100 as Range<UInt8> {
            for (algorithm, count) in [(DigestAlgorithm.md5, 16), (.sha256, 32), (.sha512, 64)] {
                let bytes = [UInt8](repeating: byte, count: count)
                claims.add(digests: [ExpectedDigest(algorithm, bytes: bytes)].compactMap(\.self))
            }
        }
        #expect(claims.digests.count == 6)
    }
}
