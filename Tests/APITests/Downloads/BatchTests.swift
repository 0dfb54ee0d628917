// Batches: whole or not at all.
import Base
import Postgres
import Testing

@testable import API

@Suite struct BatchTests {
    private func send(
        _ world: APIWorld, _ body: String, _ headers: [(String, String)] = [], query: String = ""
    ) async -> Reply {
        await world.send("POST", "/v1/downloads/batch" + query, body, headers: headers)
    }

    private func queued(_ world: APIWorld) async throws -> Int64 {
        try await world.pool.query("SELECT count(*) FROM queue")[0].get(0)
    }

    @Test(
        arguments: [
            ("", "{\"url\":7}", "#/defaults/url"), ("", "{\"priority\":2}", "#/defaults/priority"),
            ("?session=-a", "{}", "?session"),
        ])
    func unusedDefaultsAreValidated(
        _ query: String, _ defaults: String, _ pointer: String
    ) async throws {
        try await APIWorld.with { world in
            let reply = await send(
                world,
                """
                {"session":"default","defaults":\(defaults),
                 "downloads":[{"url":"https://a.example/","priority":0.1}]}
                """, query: query)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer])
            let count = try await queued(world)
            #expect(count == 0)
        }
    }

    @Test func aBatchKeepsItsOrder() async throws {
        try await APIWorld.with { world in
            let list = (0..<1000).map { "{\"url\":\"https://a.example/\($0)\"}" }
            let reply = await send(
                world,
                "{\"defaults\":{\"priority\":0.9},\"downloads\":[\(list.joined(separator: ","))]}")
            #expect(reply.status == 201)
            let data = try #require(reply.json["data"]?.arrayValue)
            #expect(data.count == 1000)
            for (place, item) in data.enumerated() {
                #expect(item["url"]?.stringValue == "https://a.example/\(place)")
            }
            #expect(data.allSatisfy { $0["priority"]?.doubleValue == 0.9 })
            let ids = data.compactMap { $0["id"]?.stringValue }
            #expect(ids == ids.sorted())
            let count = try await queued(world)
            #expect(count == 1000 && world.told.now.hints == 1)
            let first = await world.send("GET", "/v1/downloads/" + ids[0])
            #expect(first.json == data[0])
            // The answer was written before the later downloads stood in front of it, so its
            // blockers may differ.
            let read = await world.send("GET", "/v1/downloads/" + ids[500])
            func rest(_ json: JSON) -> JSONObject? {
                var object = json.objectValue
                object?["blockers"] = nil
                return object
            }
            #expect(rest(read.json) == rest(data[500]))
        }
    }

    @Test func aBatchWakesTheSenderOnce() async throws {
        try await APIWorld.with { world in
            let hook = #""webhook_url":"https://hooks.example/","webhook_events":["download.*"]"#
            let reply = await send(
                world,
                #"{"defaults":{\#(hook),"earliest_begin_date":"2999-01-01T00:00:00Z"},"#
                    + #""downloads":[{"url":"https://a.example/"},{"url":"https://a.example/"}]}"#)
            #expect(reply.status == 201)
            #expect(world.told.now.deliveries == 1)
            #expect(world.told.now.hints == 0, "nothing is due")
            let bulk = await world.send(
                "POST", "/v1/downloads/bulk",
                #"{"action":"cancel","filter":{"state":["waiting"]}}"#)
            #expect(bulk.status == 200 && bulk.json["changed"] == 2)
            #expect(world.told.now.deliveries == 2)
        }
    }

    @Test func oneInvalidDownloadRejectsTheBatch() async throws {
        try await APIWorld.with { world in
            let reply = await send(
                world,
                #"""
                {"defaults":{"priority":7},"session":"default","downloads":[
                 {"url":"https://a.example/"},{"url":"ftp://a.example/","priority":0},
                 {"url":"http://127.0.0.1/","priority":1},3,{"priority":1},
                 {"url":"https://a.example/","priority":1,"session":"nope"},
                 {"url":"https://a.example/","priority":1,"metadata":{"a/b":1}}]}
                """#)
            reply.expectProblem("batch-rejected", status: 422)
            #expect(
                reply.pointers == [
                    "#/defaults/priority", "#/downloads/1/url", "#/downloads/2/url",
                    "#/downloads/3", "#/downloads/4/url", "#/downloads/5/session",
                    "#/downloads/6/metadata/a~1b",
                ])
            #expect(reply.json["detail"]?.stringValue?.hasPrefix("7 of 7 ") == true)
            let count = try await queued(world)
            #expect(count == 0)
        }
    }

    @Test func aBatchMayBeAURIList() async throws {
        try await APIWorld.with { world in
            let type = [("Content-Type", "text/uri-list; charset=utf-8")]
            _ = await world.send("PUT", "/v1/sessions/night", "{}")
            let reply = await send(
                world, "# mirrors\r\nhttps://a.example/1\r\n\r\nhttps://a.example/2", type,
                query: "?session=night")
            #expect(reply.status == 201, "\(reply.text)")
            let urls = reply.json["data"]?.arrayValue?.compactMap { $0["url"]?.stringValue }
            #expect(urls == ["https://a.example/1", "https://a.example/2"])
            #expect(reply.json["data"]?[1]?["session"] == "night")
            let wrong = await send(world, "https://a.example/1\n#\nfoo\n", type)
            wrong.expectProblem("batch-rejected", status: 422)
            #expect(wrong.pointers == ["#/downloads/1/url"])
            #expect(wrong.json["errors"]?[0]?["detail"]?.stringValue?.hasSuffix("(line 3)") == true)
            let none = await send(world, "#\n", type)
            none.expectProblem("validation-failed", status: 422)
        }
    }

    @Test func aRepeatedBatchGetsTheStoredAnswer() async throws {
        try await APIWorld.with { world in
            let body = #"{"downloads":[{"url":"https://a.example/"},{"url":"https://b.example/"}]}"#
            let key = [("Idempotency-Key", "b")]
            let first = await send(world, body, key)
            let again = await send(world, body, key)
            #expect(first.status == 201 && again.status == 201 && again.text == first.text)
            #expect(again["Idempotent-Replayed"] == "true")
            let count = try await queued(world)
            #expect(count == 2)
            await world.send("POST", "/v1/downloads", body, headers: key)
                .expectProblem("idempotency-key-reused", status: 422)
        }
    }

    @Test(arguments: [
        "[]", "{}", #"{"downloads":[]}"#, #"{"downloads":{}}"#, #"{"downloads":[{}],"x":1}"#,
        #"{"downloads":[{}],"defaults":1}"#,
        "{\"downloads\":[\(Array(repeating: "{}", count: 1001).joined(separator: ","))]}",
    ]) func refusesInvalidBatches(body: String) async throws {
        await send(try .alone(), body).expectProblem("validation-failed", status: 422)
    }

    @Test func refusesOtherMediaTypesWithAcceptPost() async throws {
        let reply = await send(try .alone(), "a=b", [("Content-Type", "text/plain")])
        reply.expectProblem("unsupported-media-type", status: 415)
        #expect(reply["Accept-Post"] == "application/json, text/uri-list")
        let other = try await APIWorld.alone().send("GET", "/v1/downloads/batch")
        other.expectProblem("method-not-allowed", status: 405)
        #expect(other["Allow"] == "POST")
    }
}
