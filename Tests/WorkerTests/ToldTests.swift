// Told times in a whole worker: the attempts they cost, the downloads they hold, and the state that
// a client sees meanwhile.
import Base
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

/// Answers in their order; the last one is repeated for all later requests.
private final class Turns: Sendable {
    private let count = Mutex(0)

    func next(_ answers: [[OriginStep]]) -> [OriginStep] {
        count.withLock { count in
            defer { count += 1 }
            return answers[min(count, answers.count - 1)]
        }
    }
}

@Suite struct ToldTests {
    private static let bytes = content(1000)

    private func fetch(
        _ answers: [[OriginStep]], attempts: Int = 2, _ members: JSONObject = JSONObject(),
        _ check: (Replica, OriginServer, Identifier) async throws -> Void
    ) async throws {
        let turns = Turns()
        try await Replica.with(
            change: { $0.retries.maximumAttempts = attempts }, { _ in turns.next(answers) }
        ) { replica, origin in
            let id = try await replica.submit(origin.url("/a"), members)
            try await check(replica, origin, id)
        }
    }

    @Test func sixToldRefusalsDoNotEndADownload() async throws {
        let refusal = Answer.status("429 X", ["Retry-After: 0.5"])
        let answers = Array(repeating: refusal, count: 6) + [Answer.whole(Self.bytes)]
        try await fetch(answers, attempts: 3) { replica, origin, id in
            _ = try await replica.reached(.succeeded, id)
            #expect(origin.requests.count == 7)
        }
    }

    @Test(arguments: [403, 404, 503, 302, 413])
    func aToldTimeIsWaitedFor(_ status: Int) async throws {
        try await fetch(
            [
                Answer.status("\(status) X", ["Retry-After: 1"]), Answer.whole(Self.bytes),
            ], attempts: 1
        ) { replica, origin, id in
            _ = try await replica.reached(.succeeded, id)
            let held = try await replica.number("SELECT count(*) FROM pushbacks")
            #expect(held == (status == 503 ? 1 : 0))
            let first = try #require(try await replica.attempts(id).first)
            #expect(first.detail["error"]?["http_status"] == .integer(Int64(status)))
            #expect(first.detail["error"]?["class"] == "pushback")
        }
    }

    @Test func aUsedUpLimitHoldsItsOrigin() async throws {
        try await fetch(
            [
                Answer.status("403 X", ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1"]),
                Answer.whole(Self.bytes),
            ], attempts: 1
        ) { replica, origin, id in
            _ = try await replica.reached(.succeeded, id)
            #expect(try await replica.number("SELECT count(*) FROM pushbacks") == 1)
        }
    }

    @Test func contentThatIsNotThereYetIsAskedForUntilItIs() async throws {
        let answers =
            Array(repeating: Answer.status("202 A"), count: 3) + [Answer.whole(Self.bytes)]
        try await fetch(answers, attempts: 1) { replica, origin, id in
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == Self.bytes)
            let attempts = try await replica.attempts(id)
            #expect(attempts.count == 4)
            #expect(
                attempts[0].detail["error"]?["detail"]?.stringValue?.contains("not ready yet")
                    == true)
        }
    }

    @Test func aRuleRepeatsItsStatusesApartFromOtherFailures() async throws {
        let rule: JSONObject = [
            "retry": ["statuses": [404], "attempts": 3, "for_seconds": 3600]
        ]
        let missing = Answer.status("404 N")
        try await fetch(
            [missing, missing, missing, Answer.whole(Self.bytes)], attempts: 1, rule
        ) { replica, origin, id in
            _ = try await replica.reached(.succeeded, id)
            #expect(origin.requests.count == 4)
        }
        try await fetch([missing], attempts: 1, rule) { replica, origin, id in
            let record = try await replica.reached(.failed, id)
            #expect(record.download.result.error?.code == .resourceUnavailable)
            #expect(record.download.result.error?.isRetryable == false)
            #expect(origin.requests.count == 4)
        }
    }
}
