// A client's demands, apart from any transfer.
import Base
import Downloads
import Testing

@Suite struct ContentRulesTests {
    private static let point: ResumePoint = {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.etag = "\"v1\""
        return ResumePoint(
            offset: 100, fence: 1, instance: "i", facts: facts, total: 200, restarts: 0,
            now: .epoch)
    }()

    private func judge(
        _ rules: ContentRules, _ decision: BodyDecision, _ plan: ResumePlan = .whole,
        earlier: ResumePoint? = nil, hasDigest: Bool = false,
        _ change: (inout ResponseFacts) -> Void = { _ in }
    ) -> BodyDecision {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        change(&facts)
        return rules.judge(decision, plan, earlier: earlier, facts, hasDigest: hasDigest)
    }

    private func code(_ decision: BodyDecision) -> String? {
        if case .reject(let failure) = decision { failure.code.rawValue } else { nil }
    }

    @Test func noContentRulesAcceptAnyContent() {
        for decision in [
            BodyDecision.fromStart(discarding: .changed("x")), .fromStart(discarding: nil),
            .append(at: 100), .alreadyWhole, .refuseThenWhole(.changed("x")), .notContent,
            .refuseThenPlainRange, .ambiguous("x"),
        ] {
            #expect(judge(ContentRules(), decision, .from(Self.point)) == decision)
        }
    }

    @Test(arguments: [SourceChange.ask, .fail])
    func sourceChangeIsDetectedOnEveryDecision(_ rule: SourceChange) {
        var rules = ContentRules()
        rules.onSourceChange = rule
        let plan = ResumePlan.from(Self.point)
        #expect(code(judge(rules, .fromStart(discarding: .changed("x")), plan)) == "source_changed")
        #expect(code(judge(rules, .refuseThenWhole(.changed("x")), plan)) == "source_changed")
        let barred = BodyDecision.refuseThenWhole(.unusable("x"))
        #expect(judge(rules, barred, plan) == barred)
        let whole = BodyDecision.fromStart(discarding: nil)
        let other = judge(rules, whole, earlier: Self.point) { $0.etag = "\"v2\"" }
        #expect(code(other) == "source_changed")
        #expect(judge(rules, whole, earlier: Self.point) { $0.etag = "\"v1\"" } == whole)
        var void = Self.point
        void.void = "the client knows"
        #expect(judge(rules, whole, earlier: void) { $0.etag = "\"v2\"" } == whole)
        if case .reject(let failure) = other {
            #expect(failure.failureClass == (rule == .ask ? .attention : .server))
            #expect(failure.isRetryable == (rule == .ask))
        }
    }

    @Test func maximumBytesCountsTheWholeRepresentation() {
        var rules = ContentRules()
        rules.maximumBytes = 200
        let whole = BodyDecision.fromStart(discarding: nil)
        #expect(judge(rules, whole) { $0.contentLength = 200 } == whole)
        #expect(code(judge(rules, whole) { $0.contentLength = 201 }) != nil)
        #expect(judge(rules, whole) == whole, "not announced: the bytes are counted")
        func part(_ range: String?, _ length: Int64?) -> BodyDecision {
            judge(rules, .append(at: 100), .from(Self.point)) {
                $0.contentRange = range.flatMap { ContentRange($0) }
                $0.contentLength = length
            }
        }
        #expect(part("bytes 100-199/200", 100) == .append(at: 100))
        #expect(code(part("bytes 100-200/201", 101)) == "data_length_exceeds_maximum")
        #expect(part("bytes 100-199/*", 100) == .append(at: 100))
        #expect(code(part("bytes 100-200/*", 101)) == "data_length_exceeds_maximum")
    }

    /// Every type beside every range of types.
    @Test(
        arguments: [
            ("image/png", ["image/png"], true), ("IMAGE/PNG; x=1", ["image/png"], true),
            ("image/png", ["image/*"], true), ("image/png", ["text/csv", "image/*"], true),
            ("image/png", ["*/*"], true), ("image/png", ["image/jpeg"], false),
            ("image/png", ["text/*"], false), ("text/html ;charset=utf-8", ["text/html"], true),
            ("imagery/png", ["image/*"], false), ("nothing", ["text/*"], false),
            (nil, ["application/octet-stream"], true), ("", ["application/*"], true),
            (nil, ["image/*"], false),
        ] as [(String?, [String], Bool)])
    func onlyAcceptedTypesAreTaken(_ type: String?, _ ranges: [String], _ isTaken: Bool) throws {
        let rules = try Self.rules([
            "accept_content_types": .array(ranges.map { .string($0) })
        ])
        let expected = isTaken ? nil : "content_type_not_accepted"
        let changed = BodyDecision.fromStart(discarding: .changed("x"))
        for decision in [BodyDecision.fromStart(discarding: nil), changed] {
            #expect(code(judge(rules, decision) { $0.contentType = type }) == expected)
        }
        // A part says nothing of its type if the whole answer did.
        let part = judge(rules, .append(at: 100), .from(Self.point)) { $0.contentType = type }
        #expect(code(part) == (type == nil ? nil : expected))
        for decision in [BodyDecision.alreadyWhole, .notContent, .refuseThenPlainRange] {
            #expect(judge(rules, decision) { $0.contentType = type } == decision)
        }
    }

    @Test(
        arguments: [
            [], ["image"], ["image/"], ["/png"], ["image/png;x=1"], ["*/png"], ["im*/png"],
            ["image/p*"], ["a/b/c"], ["image/ png"], ["image/png", "x"],
        ] as [[String]])
    func typesHaveToBeTypes(_ ranges: [String]) {
        #expect(throws: (any Error).self) {
            try Self.rules(["accept_content_types": .array(ranges.map { .string($0) })])
        }
    }

    private static func rules(_ members: JSONObject) throws -> ContentRules {
        try SessionConfiguration.parse(.object(members)).get().rules
    }

    @Test func minimumBytesCountsTheWholeRepresentation() throws {
        let rules = try Self.rules(["min_bytes": 200, "max_bytes": 200])
        let whole = BodyDecision.fromStart(discarding: nil)
        #expect(judge(rules, whole) { $0.contentLength = 200 } == whole)
        #expect(code(judge(rules, whole) { $0.contentLength = 199 }) == "content_too_short")
        #expect(judge(rules, whole) == whole, "not announced: the bytes are counted")
        #expect(rules.refusal(ofLength: 199, nil)?.code == .contentTooShort)
        #expect(rules.refusal(ofLength: 200, nil) == nil)
        #expect(throws: (any Error).self) {
            try Self.rules(["min_bytes": 201, "max_bytes": 200])
        }
    }

    @Test func requireLengthNeedsAProvenEnd() {
        var rules = ContentRules()
        rules.requiresVerifiedLength = true
        let whole = BodyDecision.fromStart(discarding: nil)
        #expect(code(judge(rules, whole)) == "length_unverified")
        #expect(judge(rules, whole, hasDigest: true) == whole)
        #expect(judge(rules, whole) { $0.contentLength = 0 } == whole)
        #expect(judge(rules, whole) { $0.isChunked = true } == whole)
        #expect(judge(rules, whole) { $0.contentMD5 = "1B2M2Y8AsgTpgAmY7PhCfg==" } == whole)
        #expect(judge(rules, .append(at: 100), .from(Self.point)) == .append(at: 100))
        #expect(code(judge(rules, whole) { $0.contentMD5 = "x" }) == "length_unverified")
    }

    /// The size is a hint, unless it is demanded; it is known from the head, or counted at the end.
    @Test(arguments: [nil, false, true] as [Bool?], [nil, 0, 99, 200, 201] as [Int64?])
    func expectedBytesIsAHintUnlessDemanded(_ isRequired: Bool?, _ expected: Int64?) {
        var rules = ContentRules()
        rules.requiresExpectedLength = isRequired
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.contentLength = 200
        var part = ResponseFacts(status: 206, url: "https://example.com/")
        part.contentRange = ContentRange("bytes 100-149/*")
        part.contentLength = 50
        let isOther = isRequired == true && expected != nil && expected != 200
        for (decision, plan, facts) in [
            (BodyDecision.fromStart(discarding: nil), ResumePlan.whole, facts),
            (.append(at: 100), .from(Self.point), part),
        ] {
            let judged = rules.judge(
                decision, plan, earlier: nil, facts, hasDigest: false, expectedLength: expected)
            #expect(code(judged) == (isOther ? "expected_length_mismatch" : nil))
        }
        #expect((rules.refusal(ofLength: 200, expected) != nil) == isOther)
    }

    @Test func lengthBeyondInt64ExceedsTheLimit() {
        let limit = ContentRules.lengthLimit
        let whole = BodyDecision.fromStart(discarding: nil)
        #expect(judge(ContentRules(), whole) { $0.contentLength = limit } == whole)
        let judged = judge(ContentRules(), whole) { $0.contentLength = limit + 1 }
        guard case .reject(let failure) = judged else {
            Issue.record("taken")
            return
        }
        #expect(failure.code == .dataLengthExceedsMaximum && failure.failureClass == .permanent)
        #expect(!failure.isRetryable)
    }

    @Test func eachLayerOfRulesInheritsByMember() throws {
        var reader = FieldReader(["max_bytes": 5, "on_source_change": "ask"])
        let own = ContentRules(reading: &reader)
        #expect(reader.finish().isEmpty)
        var session = ContentRules()
        session.maximumBytes = 9
        session.requiresVerifiedLength = true
        session.requiresExpectedLength = true
        let both = own.filled(from: session)
        #expect(both.maximumBytes == 5 && both.requiresVerifiedLength == true)
        #expect(both.requiresExpectedLength == true)
        #expect(both.onSourceChange == .ask)
        var object = JSONObject()
        both.write(to: &object)
        var again = FieldReader(object)
        #expect(ContentRules(reading: &again) == both)
    }

    @Test(arguments: [
        ("max_bytes", JSON.integer(0)), ("max_bytes", "5"), ("on_source_change", "maybe"),
        ("on_source_change", true), ("require_verified_length", 1),
        ("require_expected_length", "yes"),
    ])
    func refuses(_ name: String, _ value: JSON) {
        var object = JSONObject()
        object[name] = value
        var reader = FieldReader(object)
        _ = ContentRules(reading: &reader)
        #expect(reader.errors.map(\.pointer) == ["#/" + name])
    }
}
