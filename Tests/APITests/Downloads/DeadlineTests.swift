// begin_deadline and complete_by, as a client sees them.
import Base
import Testing

@testable import API

@Suite struct DeadlineTests {
    private static func patch(_ world: APIWorld, _ path: String, _ body: String) async -> Reply {
        await world.send(
            "PATCH", path, body, headers: [("Content-Type", "application/merge-patch+json")])
    }

    /// With its date in 2099, the time limit ends it a week later.
    private static let date = #""earliest_begin_date":"2099-01-01T00:00:00Z""#

    @Test(
        arguments: [
            (#""complete_by":"2001-01-01T00:00:00Z""#, ["#/complete_by"]),
            (#""begin_deadline":"2001-01-01T00:00:00Z""#, ["#/begin_deadline"]),
            (#""complete_by":"soon""#, ["#/complete_by"]),
            (#""complete_by":"2099-01-01T00:00:00Z""#, ["#/complete_by"]),
            (#"\#(date),"complete_by":"2099-01-01T00:00:00Z""#, ["#/complete_by"]),
            (#"\#(date),"complete_by":"2099-01-08T00:00:01Z""#, ["#/complete_by"]),
            (
                #"""
                \#(date),"complete_by":"2099-01-02T00:00:00Z",
                "begin_deadline":"2099-01-02T00:00:00Z"
                """#, ["#/begin_deadline"]
            ),
        ])
    func refusesDeadlinesThatCannotBeMeant(_ members: String, _ pointers: [String]) async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads", "{\"url\":\"https://a.example/\",\(members)}")
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == pointers)
        }
    }

    @Test func aBatchNamesThePlaceOfItsDefaults() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads/batch",
                #"""
                {"defaults":{"complete_by":"2001-01-01T00:00:00Z"},
                 "downloads":[{"url":"https://a.example/"},
                    {"url":"https://b.example/","complete_by":"2001-01-02T00:00:00Z"}]}
                """#)
            #expect(reply.status == 422)
            #expect(reply.pointers == ["#/defaults/complete_by", "#/downloads/1/complete_by"])
        }
    }

    @Test func deadlinesAreKeptChangedAndExplained() async throws {
        try await APIWorld.with { world in
            let made = await world.create(
                #"""
                \#(Self.date),"complete_by":"2099-01-02T12:34:00Z",
                "count_of_bytes_client_expects_to_receive":7549747200
                """#)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["complete_by"] == "2099-01-02T12:34:00.000Z")
            #expect(made.json["begin_deadline"] == .null)
            #expect(made.json["deadline_at_risk_since"] == .null)
            let path = try #require(made["Location"])
            await #expect(world.send("GET", path).json == made.json)
            let why = await world.send("GET", path + "/explain")
            let deadline = try #require(why.json["deadline"])
            #expect(deadline["complete_by"] == made.json["complete_by"])
            #expect(deadline["status"] == "on_track" && deadline["detail"] == .null)
            // A day of UTC, as it is far away, less two hours and the margin.
            #expect(deadline["latest_begin"] == "2099-01-01T21:44:58.000Z")
            let late = await Self.patch(world, path, #"{"complete_by":"2001-01-01T00:00:00Z"}"#)
            late.expectProblem("validation-failed", status: 422)
            #expect(late.pointers == ["#/complete_by"])
            let date = await Self.patch(
                world, path, #"{"earliest_begin_date":"2099-01-03T00:00:00Z"}"#)
            #expect(date.pointers == ["#/earliest_begin_date"])
            let begin = await Self.patch(
                world, path,
                #"{"begin_deadline":"2099-01-01T06:00:00Z","complete_by":null}"#)
            #expect(begin.status == 200, "\(begin.text)")
            #expect(begin.json["begin_deadline"] == "2099-01-01T06:00:00.000Z")
            #expect(begin.json["complete_by"] == .null)
        }
    }
}
