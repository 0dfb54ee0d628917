// PATCH, retry and the list of attempts, as a client sees them.
import Base
import Postgres
import Testing

@testable import API

@Suite struct ChangeTests {
    private func patch(_ world: APIWorld, _ path: String, _ body: String) async -> Reply {
        await world.send(
            "PATCH", path, body, headers: [("Content-Type", "application/merge-patch+json")])
    }

    @Test func patchSetsMembersAndNullRestoresDefaults() async throws {
        try await APIWorld.with { world in
            let made = await world.create(
                #""metadata":{"a":"1","b":"2"},"task_description":"x","priority":0.9"#)
            let path = try #require(made["Location"])
            let reply = await patch(
                world, path,
                #"""
                {"metadata":{"a":null,"c":"3"},"priority":null,"is_discretionary":true,
                 "earliest_begin_date":"2099-01-01T00:00:00Z","url":"https://b.example/z"}
                """#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json["metadata"] == ["b": "2", "c": "3"])
            #expect(reply.json["priority"]?.doubleValue == 0.5)
            #expect(reply.json["is_discretionary"] == true && reply.json["task_description"] == "x")
            #expect(reply.json["url"] == "https://b.example/z")
            #expect(reply.json["blockers"]?[0]?["code"] == "earliest_begin_date")
            #expect(reply["ETag"] != made["ETag"])
            let back = await patch(
                world, path,
                #"{"earliest_begin_date":null,"is_discretionary":null,"metadata":null}"#)
            #expect(back.json["earliest_begin_date"] == .null && back.json["metadata"] == [:])
            #expect(back.json["is_discretionary"] == false)
            // Only the answer to a change names dropped secrets.
            var kept = try #require(back.json.objectValue)
            #expect(kept["dropped"] == [])
            kept["dropped"] = nil
            await #expect(world.send("GET", path).json == .object(kept))
        }
    }

    @Test func patchRefusesFixedMembers() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let path = try #require(made["Location"])
            let wrong = await patch(world, path, #"{"session":"x","url":null,"priority":3}"#)
            wrong.expectProblem("validation-failed", status: 422)
            #expect(wrong.pointers == ["#/session"])
            let values = await patch(world, path, #"{"url":null,"priority":3}"#)
            #expect(values.pointers == ["#/url", "#/priority"])
            await patch(world, path, #"{"url":"http://127.0.0.1/"}"#)
                .expectProblem("destination-not-allowed", status: 422)
            let type = await world.send(
                "PATCH", path, "{}", headers: [("Content-Type", "text/plain")])
            type.expectProblem("unsupported-media-type", status: 415)
            #expect(type["Accept-Patch"]?.hasPrefix("application/merge-patch+json") == true)
            try await world.succeed(try #require(made.json["id"]?.stringValue), result: [:])
            let ended = await patch(world, path, #"{"priority":1}"#)
            ended.expectProblem("invalid-state-transition", status: 409)
            #expect(ended.json["state"] == "succeeded")
            let words = await patch(world, path, #"{"task_description":"why"}"#)
            #expect(words.status == 200 && words.json["task_description"] == "why")
            let tag = await world.send(
                "PATCH", path, "{}", headers: [("If-Match", made["ETag"] ?? "")])
            tag.expectProblem("precondition-failed", status: 412)
        }
    }

    @Test func patchRefusesTheURLOfARunningDownload() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let path = try #require(made["Location"])
            try await world.run(try #require(made.json["id"]?.stringValue), bytes: 5)
            await patch(world, path, #"{"url":"https://b.example/"}"#)
                .expectProblem("invalid-state-transition", status: 409)
            let reply = await patch(world, path, #"{"priority":1}"#)
            #expect(reply.status == 200 && reply.json["count_of_bytes_received"] == 5)
        }
    }

    @Test func retryRunsAFailedDownloadAgain() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            let path = try #require(made["Location"])
            try await world.fail(try #require(made.json["id"]?.stringValue))
            let reply = await world.send("POST", path + "/retry")
            #expect(reply.status == 200 && reply.json["state"] == "waiting")
            #expect(reply.json["error"] == .null && world.told.now.hints == 2)
            let attempts = await world.send("GET", path + "/attempts")
            #expect(attempts.status == 200 && attempts.json["data"] == [])
            _ = await world.send("POST", path + "/suspend")
            await world.send("POST", path + "/retry")
                .expectProblem("invalid-state-transition", status: 409)
        }
    }

    @Test func attemptsListTheRunningOne() async throws {
        try await APIWorld.with { world in
            let made = await world.create()
            try await world.run(try #require(made.json["id"]?.stringValue), bytes: 5)
            let list = await world.send("GET", try #require(made["Location"]) + "/attempts")
            #expect(list.json["data"]?[0]?["attempt"] == 1)
            #expect(list.json["data"]?[0]?["outcome"] == .null)
            #expect(list.json["data"]?[0]?["ended_at"] == .null)
        }
    }
}
