// Whether an answer proves that a known content is the present one.
import Base
import Testing

@testable import Downloads

@Suite struct ChangeConditionTests {
    private static let digest = String(repeating: "1", count: 64)

    /// A 304 with the given fields.
    private static func answer(_ change: (inout ResponseFacts) -> Void = { _ in }) -> ResponseFacts
    {
        var facts = ResponseFacts(status: 304, url: "http://origin.test/f")
        change(&facts)
        return facts
    }

    /// A condition with both validators, as `if_changed_from` makes it.
    private static func known(
        _ change: (inout ChangeCondition) -> Void = { _ in }
    )
        -> ChangeCondition
    {
        var condition = ChangeCondition(
            etag: "\"v1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", digest: digest,
            unchangedFrom: Identifier(hexadecimal: String(repeating: "1", count: 32)))
        condition.origin = "http://origin.test:80"
        change(&condition)
        return condition
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let condition: ChangeCondition
        let facts: ResponseFacts
        let isBelieved: Bool
        var testDescription: String { name }

        init(
            _ name: String, _ isBelieved: Bool, _ condition: ChangeCondition = known(),
            _ change: (inout ResponseFacts) -> Void = { _ in }
        ) {
            self.name = name
            self.condition = condition
            self.isBelieved = isBelieved
            facts = answer(change)
        }
    }

    static let answers: [Row] = [
        Row("no fields", true),
        Row("the same ETag", true) { $0.etag = "\"v1\"" },
        Row("the weak form of the ETag", true) { $0.etag = "W/\"v1\"" },
        Row("another ETag", false) { $0.etag = "\"v2\"" },
        Row("an ETag that contains the known one", false) { $0.etag = "\"v11\"" },
        Row("one of two ETags", true, known { $0.etag = "\"v0\", W/\"v1\"" }) {
            $0.etag = "\"v1\""
        },
        Row("none of two ETags", false, known { $0.etag = "\"v0\", W/\"v1\"" }) {
            $0.etag = "\"v2\""
        },
        Row("a later date, with the ETag", true) {
            $0.lastModified = "Mon, 07 Nov 1994 08:49:37 GMT"
        },
        Row("a later date, without an ETag", false, known { $0.etag = nil }) {
            $0.lastModified = "Mon, 07 Nov 1994 08:49:37 GMT"
        },
        Row("an earlier date, without an ETag", true, known { $0.etag = nil }) {
            $0.lastModified = "Sat, 05 Nov 1994 08:49:37 GMT"
        },
        Row("the known digest", true) {
            $0.reprDigest = "sha-256=:ERERERERERERERERERERERERERERERERERERERERERE=:"
        },
        Row("another digest", false) {
            $0.reprDigest = "sha-256=:IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI=:"
        },
        Row("the digest of the empty message", true) {
            $0.contentDigest = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        },
        Row("another origin", false) { $0.url = "http://mirror.test/f" },
        Row("another origin, the client's own tag", true, ChangeCondition(etag: "\"v1\"")) {
            $0.url = "http://mirror.test/f"
        },
        Row("an origin that cannot be read", false) { $0.url = "nonsense" },
    ]

    @Test(arguments: answers) func aContradictionIsNotBelieved(_ row: Row) {
        let doubt = row.condition.doubt(about: row.facts)
        #expect((doubt == nil) == row.isBelieved, "\(doubt ?? "believed")")
    }

    @Test func listsOfEntityTagsAreKnownByTheirForm() {
        for text in ["\"a\"", "W/\"a\"", "\"\"", "\"a\", \"b\"", "\"a\"\t,W/\"b\" ", "\"a,b\""] {
            #expect(ChangeCondition.isListOfTags(text), "\(text)")
        }
        for text in [
            "", "a", "*", "\"a", "a\"", "w/\"a\"", "W/ \"a\"", "\"a\" \"b\"", "\"a\",", ",\"a\"",
            "\"a b\"",
            "\"a\"\r\nHost: b", "W/a",
        ] {
            #expect(!ChangeCondition.isListOfTags(text), "\(text)")
        }
    }

    @Test func datesAreTakenInTheFormThatIsSentToday() {
        #expect(ChangeCondition.isDate("Sun, 06 Nov 1994 08:49:37 GMT"))
        for text in [
            "", "1994-11-06T08:49:37Z", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT\r\nHost: b",
        ] {
            #expect(!ChangeCondition.isDate(text), "\(text)")
        }
    }

    @Test func validatorsOfAnotherFormAreNotSent() {
        let odd = ChangeCondition(
            etag: "v1\r\nHost: b", lastModified: "yesterday", digest: Self.digest)
        #expect(!odd.sendable.hasValidators && odd.sendable.digest == Self.digest)
        #expect(Self.known().sendable == Self.known())
    }

    @Test func theStoredFormHasEveryMember() throws {
        let condition = Self.known { $0.isContentWanted = true }
        #expect(ChangeCondition(stored: condition.tree) == condition)
        #expect(ChangeCondition(stored: ChangeCondition().tree) == ChangeCondition())
    }
}
