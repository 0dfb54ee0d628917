// The table of engines.md 2.3, row by row, and other behaviour of origins beside it.
import Base
import Downloads
import Testing

@Suite struct ResumeRulesTests {
    private static let etag: FieldValue = "\"v1\""
    private static let date = "Sun, 01 Nov 2026 10:00:00 GMT"

    private static func point(
        _ offset: Int64 = 100, total: Int64? = 200, etag: FieldValue? = etag, date: String? = nil,
        plain: Bool = false
    ) -> ResumePoint {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.etag = etag
        facts.lastModified = date
        facts.date = "Sun, 01 Nov 2026 11:00:00 GMT"
        var point = ResumePoint(
            offset: offset, fence: 1, instance: "i", facts: facts, total: total, restarts: 0,
            now: Timestamp(seconds: 1_795_309_200))
        point.usesPlainRange = plain
        return point
    }

    private static func facts(
        _ status: Int, range: String? = nil, etag: FieldValue? = etag, length: Int64? = nil,
        _ change: (inout ResponseFacts) -> Void = { _ in }
    ) -> ResponseFacts {
        var facts = ResponseFacts(status: status, url: "https://example.com/")
        facts.contentRange = range.flatMap { ContentRange($0) }
        facts.etag = etag
        facts.contentLength = length
        change(&facts)
        return facts
    }

    private func isWhole(_ decision: BodyDecision) -> Bool {
        if case .refuseThenWhole = decision { true } else { false }
    }

    private func isAmbiguous(_ decision: BodyDecision) -> Bool {
        if case .ambiguous = decision { true } else { false }
    }

    @Test func firstRequestAcceptsTheWholeRepresentation() {
        #expect(ResumeRules.judge(.whole, Self.facts(200)) == .fromStart(discarding: nil))
        #expect(isAmbiguous(ResumeRules.judge(.whole, Self.facts(206, range: "bytes 0-9/10"))))
        #expect(ResumeRules.judge(.whole, Self.facts(416, range: "bytes */10")) == .notContent)
    }

    @Test(arguments: [
        ("bytes 100-199/200", 100 as Int64, 100 as Int64?), ("bytes 100-199/200", 100, nil),
        ("bytes 40-199/200", 40, 160), ("bytes 0-199/200", 0, 200), ("bytes 100-199/*", 100, 100),
        ("bytes 100-149/200", 100, 50), ("bytes 100-149/*", 100, 50), ("bytes 100-100/*", 100, 1),
        ("bytes 40-100/200", 40, 61),
    ])
    func aFittingPartIsWrittenWhereItSays(_ range: String, _ start: Int64, _ length: Int64?) {
        let decision = ResumeRules.judge(
            .from(Self.point()), Self.facts(206, range: range, length: length))
        #expect(decision == .append(at: start))
    }

    @Test(arguments: [
        nil, "bytes */200", "bytes=100-199/200", "bytes 101-199/200", "bytes 100-200/201",
        "bytes 100-198/199", "bytes 40-99/200", "bytes 0-0/*", "bytes 100-200/*",
    ])
    func aPartThatDoesNotFitIsRefused(_ range: String?) {
        #expect(isWhole(ResumeRules.judge(.from(Self.point()), Self.facts(206, range: range))))
    }

    @Test func multipartByterangesIsRefused() {
        let facts = Self.facts(206, range: "bytes 100-199/200") {
            $0.contentType = "Multipart/ByteRanges; boundary=x"
        }
        #expect(isWhole(ResumeRules.judge(.from(Self.point()), facts)))
    }

    @Test func partWithContentEncodingIsRefused() {
        let coded = Self.facts(206, range: "bytes 100-199/200") { $0.contentEncoding = "gzip" }
        #expect(isWhole(ResumeRules.judge(.from(Self.point()), coded)))
        let plain = Self.facts(206, range: "bytes 100-199/200") { $0.contentEncoding = "Identity" }
        #expect(ResumeRules.judge(.from(Self.point()), plain) == .append(at: 100))
    }

    @Test(arguments: ["\"v2\"", "W/\"v1\"", "v1", nil])
    func differentOrMissingETagIsAnotherRepresentation(_ etag: FieldValue?) {
        let facts = Self.facts(206, range: "bytes 100-199/200", etag: etag)
        #expect(isWhole(ResumeRules.judge(.from(Self.point()), facts)))
        #expect(isWhole(ResumeRules.judge(.from(Self.point(plain: true)), facts)))
    }

    @Test func lastModifiedDecidesWithoutAnETag() {
        let plan = ResumePlan.from(Self.point(etag: nil, date: Self.date))
        func part(_ date: String?) -> ResponseFacts {
            Self.facts(206, range: "bytes 100-199/200", etag: nil) { $0.lastModified = date }
        }
        #expect(ResumeRules.judge(plan, part(Self.date)) == .append(at: 100))
        // A part without the ETag may be of any version, unless a digest tells at the end.
        #expect(isWhole(ResumeRules.judge(plan, part(nil))))
        #expect(ResumeRules.judge(plan, part(nil), hasDigest: true) == .append(at: 100))
        #expect(isWhole(ResumeRules.judge(plan, part("Sun, 01 Nov 2026 10:00:01 GMT"))))
    }

    @Test func digestDecidesWithoutAValidator() {
        let plan = ResumePlan.from(Self.point(etag: nil))
        let facts = Self.facts(206, range: "bytes 100-199/200", etag: nil)
        #expect(ResumeRules.judge(plan, facts, hasDigest: true) == .append(at: 100))
        for tag: FieldValue? in ["\"new\"", "W/\"new\""] {
            let other = Self.facts(206, range: "bytes 100-199/200", etag: tag)
            #expect(isWhole(ResumeRules.judge(plan, other, hasDigest: true)))
        }
    }

    @Test func contentLengthMustMatchContentRange() {
        let facts = Self.facts(206, range: "bytes 100-199/200", length: 99)
        #expect(isAmbiguous(ResumeRules.judge(.from(Self.point()), facts)))
    }

    @Test func contentRangeWithUnknownTotalKeepsTotalUnknown() {
        let plan = ResumePlan.from(Self.point(total: nil))
        for range in ["bytes 100-149/*", "bytes 100-149/150"] {
            #expect(ResumeRules.judge(plan, Self.facts(206, range: range)) == .append(at: 100))
        }
    }

    @Test func status200WithTheSameETagIsRetriedOnceForLargeParts() {
        let large = ResumeRules.worthAsking
        func judge(_ offset: Int64, _ etag: FieldValue?, plain: Bool = false) -> BodyDecision {
            ResumeRules.judge(
                .from(Self.point(offset, total: nil, plain: plain)), Self.facts(200, etag: etag))
        }
        let ignored = BodyDecision.fromStart(
            discarding: .unusable("the origin ignored Range"))
        let changed = BodyDecision.fromStart(
            discarding: .changed("the origin sent the whole file in answer to If-Range"))
        #expect(judge(large, Self.etag) == .refuseThenPlainRange)
        #expect(judge(large, Self.etag, plain: true) == ignored)
        #expect(judge(large - 1, Self.etag) == ignored)
        #expect(judge(large, "\"v2\"") == changed)
        #expect(judge(large, nil) == changed)
        // An equal date, or nothing to compare: the origin cannot do ranges.
        let dated = ResumePlan.from(Self.point(large, etag: nil, date: Self.date))
        let same = Self.facts(200, etag: nil) { $0.lastModified = Self.date }
        #expect(ResumeRules.judge(dated, same) == ignored)
        #expect(ResumeRules.judge(dated, Self.facts(200, etag: nil)) == changed)
        let bare = ResumePlan.from(Self.point(large, etag: nil))
        #expect(ResumeRules.judge(bare, Self.facts(200, etag: nil)) == ignored)
        #expect(ResumeRules.judge(bare, same) == ignored)
    }

    @Test func status416AtTheEndCompletes() {
        func judge(
            _ range: String?, total: Int64? = 100, etag: FieldValue? = nil, plain: Bool = false
        ) -> BodyDecision {
            ResumeRules.judge(
                .from(Self.point(total: total, plain: plain)),
                Self.facts(416, range: range, etag: etag))
        }
        #expect(judge("bytes */100") == .alreadyWhole)
        #expect(judge("bytes */100", total: nil) == .alreadyWhole)
        #expect(judge("bytes */100", etag: Self.etag, plain: true) == .alreadyWhole)
        for decision in [
            judge("bytes */99"), judge("bytes */101"), judge(nil), judge("bytes 0-9/100"),
            judge("bytes */100", total: 200), judge("bytes */100", etag: "\"v2\""),
            judge("bytes */100", plain: true),
        ] { #expect(isWhole(decision), "\(decision)") }
    }

    @Test(arguments: [200, 206])
    func ambiguousFramingIsRejected(_ status: Int) {
        for plan in [ResumePlan.whole, .from(Self.point())] {
            let facts = Self.facts(status, range: "bytes 100-199/200") {
                $0.ambiguity = "two lengths"
            }
            #expect(isAmbiguous(ResumeRules.judge(plan, facts)))
        }
    }

    @Test func everyStatusFrom100To999KeepsBytesUntilContentComes() {
        for status in 100...999 where ![200, 203, 206, 416].contains(status) {
            let name = Comment(rawValue: "\(status)")
            #expect(ResumeRules.judge(.whole, Self.facts(status)) == .notContent, name)
            // An answer that would be final is asked once more without Range.
            let isOpen =
                switch status {
                case 202, 401, 403, 404, 407, 408, 410, 421, 423, 425, 429, 449, 500...599: true
                default: false
                }
            let decision = ResumeRules.judge(.from(Self.point()), Self.facts(status))
            #expect(isOpen ? decision == .notContent : isWhole(decision), name)
        }
    }

    @Test func status203BringsContent() {
        #expect(ResumeRules.judge(.whole, Self.facts(203)) == .fromStart(discarding: nil))
    }

    @Test(arguments: [RequestMethod.get, .post, .put], [nil, 0, 5] as [Int64?])
    func status201BringsNoContent(_ method: RequestMethod, _ length: Int64?) {
        let decision = ResumeRules.judge(
            .whole, Self.facts(201, length: length), method: method)
        #expect(decision == .notContent)
    }
}
