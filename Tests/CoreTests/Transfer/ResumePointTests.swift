// The record of half a file, and the conditions under which it may be continued.
import Base
import Downloads
import Testing

@Suite struct ResumePointTests {
    private static let now = Timestamp(seconds: 1_795_309_200)

    private static func point(
        etag: FieldValue? = nil, modified: String? = nil, date: String? = nil, coding: String? = nil
    ) -> ResumePoint {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.etag = etag
        facts.lastModified = modified
        facts.date = date
        facts.contentEncoding = coding
        return ResumePoint(
            offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 1, now: now)
    }

    @Test(arguments: [
        ("\"a\"", "\"a\""), ("\"\"", "\"\""), ("\"é!~\"", "\"é!~\""), ("W/\"a\"", nil), ("a", nil),
        ("", nil), ("\"", nil), ("\"a", nil), ("a\"", nil), ("\"a b\"", nil), ("\"a\"b\"", nil),
        ("\"a\u{7f}\"", nil), ("\"a\", \"b\"", nil), (nil, nil),
    ])
    func onlyStrongETagsAreStored(_ etag: FieldValue?, _ kept: FieldValue?) {
        #expect(Self.point(etag: etag).etag == kept)
    }

    /// RFC 9110 section 8.8.2.2: a date is a validator only if it lies a minute before the answer.
    @Test(arguments: [
        ("Sun, 01 Nov 2026 09:59:00 GMT", "Sun, 01 Nov 2026 10:00:00 GMT", true),
        ("Sun, 01 Nov 2026 09:59:01 GMT", "Sun, 01 Nov 2026 10:00:00 GMT", false),
        ("Sun, 01 Nov 2026 10:00:00 GMT", "Sun, 01 Nov 2026 10:00:00 GMT", false),
        ("Sun, 01 Nov 2026 11:00:00 GMT", "Sun, 01 Nov 2026 10:00:00 GMT", false),
        ("Fri, 01 Nov 2019 10:00:00 GMT", nil, false),
        ("yesterday", "Sun, 01 Nov 2026 10:00:00 GMT", false),
        ("Fri, 01 Nov 2019 10:00:00 GMT", "now", false),
    ])
    func aDateHasToBeOldEnough(_ modified: String, _ date: String?, _ isKept: Bool) {
        let point = Self.point(modified: modified, date: date)
        #expect(point.claims.validators.strongDate == (isKept ? modified : nil))
        #expect(point.claims.validators.lastModified == modified, "it is compared all the same")
        #expect(point.ifRange?.text == (isKept ? modified : nil))
    }

    /// The shorter test gives the answer of the whole rule.
    @Test func anAnswerNamesItsRestWhereAPartCouldBeAskedFor() {
        let old = "Fri, 01 Nov 2019 10:00:00 GMT"
        let answered = "Sun, 01 Nov 2026 10:00:00 GMT"
        for etag: FieldValue? in ["\"a\"", "W/\"a\"", "", nil] {
            for modified in [old, answered, "yesterday", nil] {
                for coding in ["gzip", "Identity", nil] {
                    for acceptsByteRanges in [true, false] {
                        var facts = ResponseFacts(status: 200, url: "https://example.com/")
                        (facts.etag, facts.lastModified) = (etag, modified)
                        (facts.date, facts.contentEncoding) = (answered, coding)
                        facts.acceptsByteRanges = acceptsByteRanges
                        let claims = RepresentationClaims(facts, now: Self.now)
                        #expect(
                            facts.namesRest(now: Self.now)
                                == (acceptsByteRanges && claims.ifRange != nil),
                            "\(facts)")
                    }
                }
            }
        }
    }

    @Test func eTagIsPreferredOverLastModified() {
        let point = Self.point(
            etag: "\"a\"", modified: "Fri, 01 Nov 2019 10:00:00 GMT",
            date: "Sun, 01 Nov 2026 10:00:00 GMT")
        #expect(point.ifRange == "\"a\"")
        #expect(point.claims.validators.strongDate != nil)
    }

    @Test(arguments: [("gzip", false), ("br, gzip", false), ("identity", true), ("IDENTITY", true)])
    func codedContentHasNoResumeValidator(_ coding: String, _ isKept: Bool) {
        let point = Self.point(
            etag: "\"a\"", modified: "Fri, 01 Nov 2019 10:00:00 GMT",
            date: "Sun, 01 Nov 2026 10:00:00 GMT", coding: coding)
        #expect((point.ifRange != nil) == isKept)
    }

    @Test func storedFormRoundTrips() throws {
        var full = Self.point(
            etag: "\"a\"", modified: "Fri, 01 Nov 2019 10:00:00 GMT",
            date: "Sun, 01 Nov 2026 10:00:00 GMT")
        full.usesPlainRange = true
        var bare = Self.point()
        bare.total = nil
        full.claims.add(
            digests: [
                ExpectedDigest(.md5, bytes: Array(repeating: 1, count: 16)),
                ExpectedDigest(.sha256, bytes: Array(repeating: 2, count: 32)),
            ].compactMap(\.self))
        let weak = Self.point(etag: "W/\"a\"", modified: "yesterday", coding: "gzip")
        var unheard = bare
        unheard.claims.validators = Validators()
        for point in [full, bare, weak, unheard] {
            let text = JSON.object(point.json).text
            #expect(ResumePoint(stored: try #require(try JSON.parse(text).objectValue)) == point)
        }
        #expect(
            JSON.object(bare.json).text
                == #"{"offset":5,"fence":2,"instance":"here","restarts":1}"#)
    }

    @Test(arguments: [
        "{}", #"{"offset":5,"fence":2}"#, #"{"offset":5,"instance":"here"}"#,
        #"{"fence":2,"instance":"here"}"#, #"{"offset":"5","fence":2,"instance":"here"}"#,
    ])
    func invalidStoredResumePointIsNil(_ text: String) throws {
        #expect(ResumePoint(stored: try #require(try JSON.parse(text).objectValue)) == nil)
    }

    @Test func resumePlanNeedsBytesAndAValidator() {
        let good = Self.point(etag: "\"a\"")
        let bare = Self.point()
        var empty = good
        empty.offset = 0
        func plan(_ point: ResumePoint?, _ instance: String, hasDigest: Bool = false) -> ResumePlan
        {
            ResumePlan(point, instance: instance, hasDigest: hasDigest)
        }
        #expect(plan(good, "here") == .from(good))
        #expect(plan(bare, "here", hasDigest: true) == .from(bare))
        #expect(plan(bare, "here") == .whole)
        #expect(plan(good, "elsewhere", hasDigest: true) == .whole)
        #expect(plan(empty, "here", hasDigest: true) == .whole)
        #expect(plan(nil, "here", hasDigest: true) == .whole)
    }
}
