// Sessions: named, versioned, listed.
import Core
import Testing

@testable import API

@Suite struct SessionTests {
    @Test func putSessionIsIdempotent() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/nightly"
            await world.send("GET", path).expectProblem("not-found", status: 404)
            let body = #"{"is_discretionary":true,"webhook_events":["download.failed"]}"#
            let made = await world.send("PUT", path, body)
            #expect(made.status == 201 && made["Location"] == path)
            #expect(made["ETag"]?.hasPrefix("W/\"1-") == true)
            #expect(made.json["identifier"] == "nightly" && made.json["version"] == 1)
            #expect(made.json["configuration"]?["webhook_events"] == ["download.failed"])
            #expect(made.json["configuration"]?["webhook_url"]?.isNull == true)
            let again = await world.send("PUT", path, body)
            #expect(again.status == 200 && again.json == made.json)
            let changed = await world.send("PUT", path, "{}")
            #expect(changed.status == 200 && changed["ETag"]?.hasPrefix("W/\"2-") == true)
            #expect(changed.json["configuration"]?["is_discretionary"]?.isNull == true)
            #expect(changed.json["effective"]?["is_discretionary"] == false)
            let read = await world.send("GET", path)
            #expect(read.json == changed.json && read["ETag"] == changed["ETag"])
            let known = [("If-None-Match", try #require(read["ETag"]))]
            await #expect(world.send("GET", path, headers: known).status == 304)
        }
    }

    @Test func putSessionObeysConditions() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/a"
            await world.send("PUT", path, "{}", headers: [("If-Match", "*")])
                .expectProblem("precondition-failed", status: 412)
            let free = [("If-None-Match", "*")]
            await #expect(world.send("PUT", path, "{}", headers: free).status == 201)
            await world.send("PUT", path, "{}", headers: free)
                .expectProblem("precondition-failed", status: 412)
            let body = #"{"is_discretionary":true}"#
            await world.send("PUT", path, body, headers: [("If-Match", "W/\"7-0\"")])
                .expectProblem("precondition-failed", status: 412)
            let reply = await world.send("PUT", path, body, headers: [("If-Match", "W/\"1-0\"")])
            #expect(reply.status == 200 && reply.json["version"] == 2)
        }
    }

    @Test func refusesUnknownSessionMembers() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "PUT", "/v1/sessions/a", #"{"max_runs":1,"is_discretionary":1}"#)
            reply.expectProblem("validation-failed", status: 422)
            #expect(Set(reply.pointers) == ["#/max_runs", "#/is_discretionary"])
            let hook = await world.send(
                "PUT", "/v1/sessions/a", #"{"webhook_url":"http://localhost/"}"#)
            hook.expectProblem("destination-not-allowed", status: 422)
        }
    }

    @Test func listsTheDefaultSession() async throws {
        try await APIWorld.with { world in
            await #expect(world.send("PUT", "/v1/sessions/a", "{}").status == 201)
            let reply = await world.send("GET", "/v1/sessions")
            let names = reply.json["data"]?.arrayValue?.compactMap { $0["identifier"]?.stringValue }
            #expect(names == ["a", "default"] && reply.json["next_cursor"]?.isNull == true)
        }
    }
}
