// Sessions: named, versioned, listed.
import Base
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

    @Test func secretsOfASessionGoToTheOriginsThatAreNamedWithThem() async throws {
        try await APIWorld.with { world in
            let path = "/v1/sessions/a"
            let origins = "http_additional_headers_origins"
            let merge = [("Content-Type", "application/merge-patch+json")]
            func patch(_ body: String) async -> Reply {
                await world.send("PATCH", path, body, headers: merge)
            }
            let headers = #""http_additional_headers":{"X-A":"1","X-B":"2"}"#
            let none = await world.send("PUT", path, "{\(headers)}")
            #expect(none.status == 201 && none.json["withheld"] == ["http_additional_headers"])
            #expect(none.json["configuration"]?[origins] == .null)
            let one = await world.send(
                "PUT", path, "{\(headers),\"\(origins)\":[\"https://a.example/\"]}")
            #expect(one.status == 200 && one.json["withheld"] == [])
            #expect(one.json["configuration"]?[origins] == ["https://a.example"])
            for wider in [
                #"["https://a.example","https://evil.example"]"#, #"["https://evil.example"]"#,
                #"["*"]"#, #"["https://a.example:8443"]"#,
            ] {
                let refused = await patch("{\"\(origins)\":\(wider)}")
                refused.expectProblem("validation-failed", status: 422)
                #expect(refused.pointers == ["#/" + origins])
                let half = await patch(
                    "{\"\(origins)\":\(wider),\"http_additional_headers\":{\"X-A\":\"1\"}}")
                half.expectProblem("validation-failed", status: 422)
                #expect(half.text.contains("X-B") && !half.text.contains("X-A"))
            }
            let anew = await patch(
                "{\"\(origins)\":[\"*\"],"
                    + #""http_additional_headers":{"x-a":"3","X-B":null}}"#)
            #expect(anew.status == 200, "\(anew.text)")
            #expect(
                anew.json["configuration"]?["http_additional_headers"] == ["x-a": "redacted"])
            for fewer in [#"["https://a.example"]"#, "[]", "null"] {
                let reply = await patch("{\"\(origins)\":\(fewer)}")
                #expect(reply.status == 200, "\(reply.text)")
                let names = reply.json["configuration"]?["http_additional_headers"]
                #expect(names == ["x-a": "redacted"])
                #expect((reply.json["withheld"] == []) == fewer.hasPrefix("[\""))
            }
            await patch(#"{"\#(origins)":["https://a.example"]}"#)
                .expectProblem("validation-failed", status: 422)
        }
    }
}
