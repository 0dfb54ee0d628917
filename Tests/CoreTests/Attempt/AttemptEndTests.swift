// Framing, demands of the client, redirects and the end of the budget, on the machine alone.
//
// Row of the table of truncations                    here as
// Content-Length 1000, 700 sent; cut in a chunk      fetchesTruncatedBodiesAgain
// no length, connection closed                       acceptsBodyWithoutLength
// two lengths; length and chunked                    failsOnContradictoryHeads
// unasked gzip                                       acceptsBodyWithoutLength
import Downloads
import Testing

private let v1 = AttemptCase.v1
private let plain = ModelVersion(1, length: 1000).with(etag: nil)

@Suite struct AttemptEndTests {
    /// Runs a download whose origin gives one answer to every question.
    private static func always(
        _ name: String, _ reply: ModelReply, _ change: (inout AttemptCase) -> Void = { _ in }
    ) -> AttemptCase {
        AttemptCase(name, asks: [nil]) { _, _ in reply }.with {
            $0.versions = [plain]
            $0.attempts = 1
            change(&$0)
        }
    }

    static let taken: [AttemptCase] = [
        always(
            "no length, ended by the close",
            ModelReply.whole(plain).with { $0.contentLength = nil }
        ) { $0.isVerified = false },
        always("chunked", .whole(plain, isChunked: true)),
        always(
            "no length, the client's digest",
            ModelReply.whole(plain).with { $0.contentLength = nil }
        ) {
            $0.change = {
                $0.expectedDigest = ExpectedDigest(
                    .sha256, bytes: Array(repeating: 0x11, count: 32))
            }
        },
        always(
            "gzip that was not asked for",
            ModelReply.whole(plain).with { $0.contentEncoding = "gzip" }),
    ]

    @Test(arguments: taken) func acceptsBodyWithoutLength(_ row: AttemptCase) { row.run() }

    private static let cutReplies: [(String, ModelReply)] = [
        ("700 of 1000 bytes", ModelReply.whole(plain, cut: 700)),
        ("none of 1000 bytes", ModelReply.whole(plain, cut: 0)),
        ("inside a chunk", ModelReply.whole(plain, cut: 500, isChunked: true)),
        ("before the last chunk", ModelReply.whole(plain, cut: 1000, isChunked: true)),
        ("a chunk that is none", ModelReply.refused(.badServerResponse)),
        ("no answer", ModelReply.refused(.networkConnectionLost)),
    ]

    static let cut: [AttemptCase] = cutReplies.map { name, reply in
        AttemptCase(name, asks: [nil, nil]) { _, number in number == 0 ? reply : .whole(plain) }
            .with { $0.versions = [plain] }
    }

    @Test(arguments: cut) func fetchesTruncatedBodiesAgain(_ row: AttemptCase) { row.run() }

    private static let refusedReplies: [(String, ModelReply)] = [
        ("two lengths, or length and chunked", ModelReply.refused(.badServerResponse)),
        ("an odd range to a request without Range", .refused(.badServerResponse, isOddRange: true)),
        ("206 to a request without Range", ModelReply.part(v1, from: 0)),
    ]

    static let refused: [AttemptCase] = refusedReplies.map { name, reply in
        AttemptCase(name, asks: [nil, nil, nil]) { _, _ in reply }.with {
            $0.attempts = 3
            $0.state = .failed
            $0.code = .badServerResponse
        }
    }

    @Test(arguments: refused) func failsOnContradictoryHeads(_ row: AttemptCase) { row.run() }

    // MARK: - Demands

    private static func demand(
        _ name: String, _ code: FailureCode, _ state: DownloadState, reply: ModelReply,
        _ rules: @escaping @Sendable (inout ContentRules) -> Void
    ) -> AttemptCase {
        always(name, reply) {
            $0.state = state
            $0.code = code
            $0.change = {
                rules(&$0.rules)
                $0.expectedLength = 900
            }
        }
    }

    static let demands: [AttemptCase] = [
        demand(
            "longer than max_bytes", .dataLengthExceedsMaximum, .attentionRequired,
            reply: .whole(plain)
        ) { $0.maximumBytes = 999 },
        demand(
            "longer than max_bytes, not announced", .dataLengthExceedsMaximum,
            .attentionRequired, reply: .whole(plain, isChunked: true)
        ) { $0.maximumBytes = 999 },
        demand(
            "another length than expected", .expectedLengthMismatch, .failed,
            reply: .whole(plain)
        ) { $0.requiresExpectedLength = true },
        demand(
            "longer than expected, not announced", .expectedLengthMismatch, .failed,
            reply: .whole(plain, isChunked: true)
        ) { $0.requiresExpectedLength = true },
        demand(
            "shorter than min_bytes", .contentTooShort, .failed, reply: .whole(plain)
        ) { $0.minimumBytes = 1001 },
        demand(
            "shorter than min_bytes, not announced", .contentTooShort, .failed,
            reply: .whole(plain, isChunked: true)
        ) { $0.minimumBytes = 1001 },
        demand(
            "of a type that is not accepted", .contentTypeNotAccepted, .failed,
            reply: ModelReply.whole(plain).with { $0.contentType = "text/html" }
        ) { $0.acceptedTypes = ["application/octet-stream"] },
        demand(
            "nothing proves the length", .lengthUnverified, .failed,
            reply: ModelReply.whole(plain).with { $0.contentLength = nil }
        ) { $0.requiresVerifiedLength = true },
        demand(
            "a length beyond any file", .dataLengthExceedsMaximum, .failed,
            reply: ModelReply.whole(plain).with { $0.contentLength = 1 << 60 }
        ) { _ in },
    ]

    @Test(arguments: demands) func failsWhereADemandIsNotMet(_ row: AttemptCase) { row.run() }

    @Test(arguments: [SourceChange.fail, .ask])
    func changedSourceIsKeptForTheClientWhereAsked(_ rule: SourceChange) {
        AttemptCase.continued(.row("changed") { _, _ in .whole(AttemptCase.v2) }).with {
            $0.change = { $0.rules.onSourceChange = rule }
            $0.state = rule == .ask ? .attentionRequired : .failed
            $0.code = .sourceChanged
            $0.kept = rule == .ask ? 4000 : 0
            $0.isKeptVoid = rule == .ask
        }.run()
    }

    @Test func digestOfTheClientDecides() {
        Self.always("one answer with another digest", .whole(plain)) {
            $0.state = .failed
            $0.code = .digestMismatch
            $0.kept = 0
            $0.change = {
                $0.expectedDigest = ExpectedDigest(.sha256, bytes: Array(repeating: 7, count: 32))
            }
        }.run()
    }

    // MARK: - Addresses and budget

    static let moved: [AttemptCase] = [
        .continued(
            .row("a fresh place behind the redirect", asks: [4000, 4000]) { _, number in
                var gone = ModelReply.status(403)
                gone.redirects = 1
                return number == 1 ? gone : .part(v1, from: 4000)
            }),
        AttemptCase.continued(
            .row("no fresh place behind the redirect", asks: [4000, 4000]) { _, _ in
                var gone = ModelReply.status(403)
                gone.redirects = 1
                return gone
            }
        ).with {
            $0.state = .attentionRequired
            $0.code = .userAuthenticationRequired
            $0.kept = 4000
        },
        AttemptCase("a POST is not continued", asks: [nil, nil]) { _, number in
            .whole(v1, cut: number == 0 ? 4000 : nil)
        }.with { $0.change = { $0.method = .post } },
    ]

    @Test(arguments: moved) func asksAgainForAFreshPlaceOnce(_ row: AttemptCase) { row.run() }

    /// An origin that sends parts of one byte for ever: the attempt ends when it has asked its
    /// questions, and the next attempt continues.
    @Test func questionsOfAnAttemptAreBounded() {
        let world = AttemptWorld([ModelVersion(1, length: 1 << 40)]) { question, number, _ in
            let long = ModelVersion(1, length: 1 << 40)
            return number == 0
                ? .whole(long, cut: 4000)
                : .part(long, from: question.start ?? 0, to: (question.start ?? 0) + 1)
        }
        world.questionsAtMost = AttemptMachine.partsAtMost
        world.run(attemptsAtMost: 2)
        #expect(world.questions.count == 1 + AttemptMachine.partsAtMost)
        #expect(world.failures.last??.code == .badServerResponse)
        #expect(world.row?.offset == 4000 + Int64(AttemptMachine.partsAtMost))
        #expect(world.faults.isEmpty)
    }

    /// An origin that begins anew whatever range it is asked for, and breaks off before and after
    /// 600 bytes.
    @Test func bytesThatComeAgainAreNoProgressInTheEnd() {
        let world = AttemptWorld([v1]) { question, _, _ in
            .whole(v1, cut: question.start == nil ? 600 : 0)
        }
        world.run(attemptsAtMost: 100)
        #expect(world.state == .failed)
        #expect(world.fence == 8, "thrown away three times, then three without progress")
        #expect(world.failures.last??.code == .networkConnectionLost)
        #expect(world.faults.isEmpty)
    }

    /// A new version may bring fewer bytes with each attempt than were kept of the old version.
    @Test func attemptsOfANewVersionAreProgress() {
        let v2 = AttemptCase.v2
        let world = AttemptWorld([v1, v2]) { question, number, _ in
            guard number > 0 else { return .whole(v1, cut: 4000) }
            guard number > 1, let start = question.start else { return .whole(v2, cut: 200) }
            return .part(v2, from: start, cut: 200)
        }
        world.run(attemptsAtMost: 100)
        #expect(world.state == .succeeded)
        #expect(world.tally.reason == nil && world.faults.isEmpty)
    }

    @Test func lostProgressIsReported() {
        let world = AttemptWorld([v1]) { question, _, _ in
            question.start.map { .part(v1, from: $0) } ?? .whole(v1)
        }
        world.received = 5000
        world.run()
        #expect(world.tally.discarded == 5000)
        #expect(world.tally.reason == AttemptMachine.lostWithAttempt)
        #expect(world.state == .succeeded)
    }

    @Test func sentRequestWithUnknownOutcomeIsNotRepeated() {
        let world = AttemptWorld([v1]) { _, _, _ in .whole(v1) }
        world.change = { $0.mayHaveBeenSent = true }
        world.run()
        #expect(world.questions.isEmpty && world.state == .failed)
        #expect(world.failures.last??.code == .requestOutcomeUnknown)
    }

    /// A shell that reports an event that was not asked for loses the attempt, not the process.
    @Test func eventsOutOfOrderEndTheAttempt() {
        let now = AttemptWorld.start
        let events: [(inout AttemptMachine) -> AttemptAction] = [
            { $0.adopted(true) },
            { $0.ended(TransferEnd(.cancelled, facts: nil, bytes: 0), now: now) },
            { $0.gathered(BodyEnd(), now: now) }, { $0.restarted(at: 5, now: now) },
            { $0.kept(durable: 1) }, { $0.completed(.failure(.failed)) },
            { $0.compared(.success(nil)) }, { $0.discarded() },
        ]
        for event in events {
            var machine = AttemptMachine(
                AttemptTerms(address: "http://a.test/", fence: 1, instance: "here"))
            _ = machine.begin()
            #expect(event(&machine) == .discard)
            guard case .report(.failed(let failure, kept: nil, _)) = machine.discarded() else {
                Issue.record("not reported")
                continue
            }
            #expect(failure.failureClass == .internal && machine.isOver)
        }
    }
}
