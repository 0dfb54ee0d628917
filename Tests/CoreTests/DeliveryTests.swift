// The times at which a webhook is tried again, and its form on the wire.
import Base
import Downloads
import Testing

@Suite struct DeliveryTests {
    private static let now = Timestamp(seconds: 1_795_309_200)

    private func wait(
        _ attempt: Int, _ type: EventType = .succeeded, retryAfter: Duration? = nil, face: UInt64
    ) -> Duration? {
        var dice = LoadedDice(face: face)
        return DeliverySchedule.standard.next(
            afterAttempt: attempt, of: type, retryAfter: retryAfter, now: Self.now, using: &dice
        ).map { $0 - Self.now }
    }

    @Test func tenAttemptsOverThreeDays() {
        let waits = DeliverySchedule.standard.waits
        #expect(waits.count == 9)
        // The waits are 75 h, 35 min and the first 5 s together.
        let sum = waits.reduce(Duration.zero, +)
        #expect(sum == .seconds(272_105))
        #expect(wait(9, face: 1) != nil)
        #expect(wait(10, face: 1) == nil)
        #expect(wait(0, face: 1) == nil)
    }

    @Test func jitterIsAFifthEitherWay() throws {
        for (place, middle) in DeliverySchedule.standard.waits.enumerated() {
            #expect(wait(place + 1, face: 1) == middle * 4 / 5)
            #expect(wait(place + 1, face: .max) == middle * 6 / 5)
        }
        var random = SeededRandom(seed: 5)
        let bounds: ClosedRange<Duration> = .seconds(240) ... .seconds(360)
        for _ in 0..<1000 {
            let next = DeliverySchedule.standard.next(
                afterAttempt: 2, of: .failed, retryAfter: nil, now: Self.now, using: &random)
            #expect(bounds.contains(try #require(next) - Self.now))
        }
    }

    @Test func retryAfterDelaysTheNextTry() {
        #expect(wait(1, retryAfter: .seconds(60), face: .max) == .seconds(60))
        #expect(wait(1, retryAfter: .seconds(2), face: .max) == .seconds(6))
        #expect(wait(1, retryAfter: .seconds(999_999), face: 1) == .seconds(86_400))
    }

    @Test func progressAndPingsAreTriedOnce() {
        for type in EventType.allCases {
            let isOnce = type == .progress || type == .endpointPing
            #expect((wait(1, type, face: 1) == nil) == isOnce)
        }
    }

    @Test func scheduleCanBeConfigured() throws {
        var random = SeededRandom(seed: 6)
        let schedule = DeliverySchedule(waits: [.microseconds(3), .zero])
        let bounds: ClosedRange<Duration> = .zero ... .microseconds(3)
        for attempt in 1...2 {
            let next = schedule.next(
                afterAttempt: attempt, of: .failed, retryAfter: nil, now: Self.now, using: &random)
            #expect(bounds.contains(try #require(next) - Self.now))
        }
    }

    @Test func theMessageIsExact() {
        let message = WebhookMessage(
            event: Identifier(high: 0, low: 1), type: .succeeded,
            subject: Identifier(high: 0, low: 2), at: Self.now, data: #"{"id":"x"}"#,
            app: "a\"b")
        let body =
            #"{"type":"download.succeeded","timestamp":"2026-11-22T01:00:00.000Z","#
            + #""data":{"id":"x","app":"a\"b"}}"#
        #expect(String(decoding: message.body, as: UTF8.self) == body)
        #expect(
            String(decoding: message.signedContent(attemptedAt: 7), as: UTF8.self)
                == "evt_00000000000000000000000001.7." + body)
        let headers = message.headers(attemptedAt: 7, signature: "v1,x")
        #expect(
            headers.map { "\($0.name): \($0.value)" } == [
                "Content-Type: application/json", "webhook-id: evt_00000000000000000000000001",
                "webhook-timestamp: 7", "webhook-signature: v1,x", "ce-specversion: 1.0",
                "ce-id: evt_00000000000000000000000001", "ce-type: lull.download.succeeded",
                "ce-source: /v1/downloads", "ce-subject: dl_00000000000000000000000002",
                "ce-time: 2026-11-22T01:00:00.000Z",
            ])
    }
}
