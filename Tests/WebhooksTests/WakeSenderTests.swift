// Wakes on the wire: the receiver's request, and the meaning of its answer.
import Base
import Downloads
import Postgres
import Store
import Support
import Testing
import Webhooks

@Suite struct WakeSenderTests {
    private static let answers: [(String, Wake.State)] = [
        ("204 No Content", .completed), ("200 OK", .completed), ("202 Accepted", .open),
        ("500 Internal Server Error", .abandoned),
    ]

    @Test(arguments: answers)
    func theAnswerOfTheReceiverDecides(_ line: String, _ state: Wake.State) async throws {
        try await OriginServer.with({ _ in OriginStep.answer(line) }) { receiver in
            try await SenderLab.with { lab in
                let record = try await Sessions(pool: lab.pool).put(
                    app: 1, identifier: "default",
                    configuration: try SessionConfiguration.parse([
                        "webhook_url": .string(receiver.url("/wake")),
                        "webhook_events": ["session.wake"],
                    ]).get()
                ).record
                let session = try #require(record).key
                _ = try await lab.pool.query(
                    """
                    SELECT lull_note_sessions(ARRAY[$1::bigint],
                        ARRAY[lull_session_news('completed')])
                    """, [session])
                let wakes = Wakes(pool: lab.pool)
                let sent = try await wakes.look(.standard).sent
                let token = try #require(sent.first).token.text(.wake)
                lab.sender.hint()
                let end = ContinuousClock.now + .seconds(60)
                while try await wakes.status(of: session).wake?.state == .sending,
                    ContinuousClock.now < end
                {
                    _ = try await wakes.look(.standard)
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(try await wakes.status(of: session).wake?.state == state)
                let request = try #require(receiver.requests.first)
                #expect(request["ce-type"] == "lull.session.wake")
                #expect(request["ce-source"] == "/v1/sessions/default")
                #expect(request["ce-subject"] == "default")
                let body = try JSON.parse(request.body)
                #expect(body["type"] == "session.wake")
                #expect(body["data"]?["wake_token"] == .string(token))
                #expect(body["data"]?["app"] == "default")
                #expect(body["data"]?.objectValue?.members.last?.key == "app")
            }
        }
    }
}
