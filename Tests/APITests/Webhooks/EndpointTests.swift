// Endpoints for webhooks by the API: made, read, changed, deleted; their secrets.
import Base
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct EndpointTests {
    private static let path = "/v1/webhook_endpoints"

    private func create(
        _ world: APIWorld, _ body: String = #"{"url":"https://hooks.example/a"}"#
    ) async throws -> Reply {
        let reply = await world.send("POST", EndpointTests.path, body)
        try #require(reply.status == 201, "\(reply.text)")
        return reply
    }

    @Test func anEndpointIsMadeReadChangedAndDeleted() async throws {
        try await APIWorld.with { world in
            let made = try await create(
                world,
                #"{"url":"https://hooks.example/a","events":["download.*"],"sessions":["n"]}"#)
            let id = try #require(made.json["id"]?.stringValue)
            let place = try #require(made["Location"])
            #expect(place == "\(EndpointTests.path)/\(id)" && id.hasPrefix("whe_"))
            #expect(made["ETag"] == "\"1\"" && made["Cache-Control"] == "no-store")
            let secret = try #require(made.json["secret"]?.stringValue)
            #expect(EndpointSecret(secret)?.key.count == 32)
            let read = await world.send("GET", place)
            #expect(read.json["secret"] == nil && read.json["url"] == "https://hooks.example/a")
            let isKnown = await world.send("GET", place, headers: [("If-None-Match", "\"1\"")])
            #expect(isKnown.status == 304)
            await world.send(
                "PATCH", place, #"{"enabled":false}"#, headers: [("If-Match", "\"7\"")]
            ).expectProblem("precondition-failed", status: 412)
            let changed = await world.send(
                "PATCH", place, #"{"sessions":null,"enabled":false,"description":"x"}"#,
                headers: [("If-Match", "\"1\"")])
            #expect(changed.status == 200 && changed["ETag"] == "\"2\"")
            #expect(changed.json["sessions"]?.isNull == true && changed.json["enabled"] == false)
            #expect(changed.json["events"] == ["download.*"])
            #expect(changed.json["disabled_reason"] == "client")
            // An equal value is no change.
            let same = await world.send("PATCH", place, #"{"enabled":false}"#)
            #expect(same["ETag"] == "\"2\"")
            let list = await world.send("GET", EndpointTests.path)
            let names = list.json["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
            #expect(names == ["default", id])
            await world.send("DELETE", place, headers: [("If-Match", "\"1\"")])
                .expectProblem("precondition-failed", status: 412)
            await #expect(world.send("DELETE", place).status == 204)
            for (method, suffix) in [
                ("GET", ""), ("DELETE", ""), ("GET", "/secret"), ("POST", "/ping"),
                ("GET", "/statistics"), ("GET", "/deliveries"), ("POST", "/secret/rotate"),
            ] {
                await world.send(method, place + suffix).expectProblem("not-found", status: 404)
            }
        }
    }

    private static let refused: [(String, [String])] = [
        ("{}", ["#/url"]), (#"{"url":null}"#, ["#/url"]), (#"{"url":7}"#, ["#/url"]),
        (#"{"url":"https://h.example/","events":[]}"#, ["#/events"]),
        (#"{"url":"https://h.example/","events":["download.x"]}"#, ["#/events"]),
        (#"{"url":"https://h.example/","sessions":["ok","a b"]}"#, ["#/sessions/1"]),
        (#"{"url":"https://h.example/","sessions":[]}"#, ["#/sessions"]),
        (#"{"url":"https://h.example/","secret":"x"}"#, ["#/secret"]),
        (#"{"url":"https://h.example/","enabled":1}"#, ["#/enabled"]),
    ]

    @Test func refusalsNameThePlace() async throws {
        try await APIWorld.with { world in
            for (body, pointers) in EndpointTests.refused {
                let reply = await world.send("POST", EndpointTests.path, body)
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == pointers, "\(body)")
            }
            let many = (0..<65).map { "\"s\($0)\"" }.joined(separator: ",")
            let reply = await world.send(
                "POST", EndpointTests.path, #"{"url":"https://h.example/","sessions":[\#(many)]}"#)
            #expect(reply.pointers == ["#/sessions"])
            let place = await world.send(
                "POST", EndpointTests.path, #"{"url":"http://localhost/"}"#)
            place.expectProblem("destination-not-allowed", status: 422)
            #expect(place.pointers == ["#/url"])
            await world.send("POST", EndpointTests.path, #"{"url":"ftp://h.example/"}"#)
                .expectProblem("unsupported-url-scheme", status: 422)
        }
    }

    /// `default` stands for `webhook_url`: only its events can be changed.
    @Test func theDefaultEndpointIsAlwaysThere() async throws {
        try await APIWorld.with { world in
            let place = EndpointTests.path + "/default"
            let read = await world.send("GET", place)
            #expect(read.json["id"] == "default" && read.json["url"]?.isNull == true)
            await world.send("DELETE", place).expectProblem("endpoint-conflict", status: 409)
            await world.send("POST", place + "/ping").expectProblem(
                "endpoint-conflict", status: 409)
            let refused = await world.send("PATCH", place, #"{"enabled":false}"#)
            #expect(refused.status == 422 && refused.pointers == ["#/enabled"])
            let changed = await world.send("PATCH", place, #"{"events":["download.failed"]}"#)
            #expect(changed.json["events"] == ["download.failed"] && changed["ETag"] == "\"1\"")
            let hook = #""webhook_url":"https://hooks.example/b""#
            let heard = await world.create(hook)
            #expect(heard.json["webhook_events"] == ["download.failed"])
            let own = await world.create(hook + #","webhook_events":["download.created"]"#)
            #expect(own.json["webhook_events"] == ["download.created"])
            let again = await world.send("PATCH", place, #"{"events":null}"#)
            #expect(again.json["events"]?.isNull == true && again["ETag"] == "\"2\"")
            let figures = await world.send("GET", place + "/statistics")
            #expect(figures.json["resting"] == [] && figures.json["succeeded"]?.isNull == true)
        }
    }

    @Test(arguments: ["default", "whe"])
    func secretsAreStableUntilTheyAreReplaced(which: String) async throws {
        try await APIWorld.with { world in
            var place = EndpointTests.path + "/default"
            var first: JSON?
            if which == "whe" {
                let made = try await create(world)
                place = try #require(made["Location"])
                first = made.json["secret"]
            }
            let read = await world.send("GET", place + "/secret")
            #expect(read.status == 200 && read["Cache-Control"] == "no-store")
            #expect(EndpointSecret(read.json["secret"]?.stringValue ?? "") != nil)
            #expect(first == nil || first == read.json["secret"])
            await #expect(world.send("GET", place + "/secret").json == read.json)
            let rotated = await world.send("POST", place + "/secret/rotate")
            #expect(rotated.status == 200 && rotated.json["secret"] != read.json["secret"])
            let until = try #require(
                Timestamp(rfc3339: rotated.json["previous_expires_at"]?.stringValue ?? ""))
            #expect(until > Timestamp.epoch)
            let now = await world.send("GET", place + "/secret")
            #expect(now.json["secret"] == rotated.json["secret"])
            // The stored secret is sealed.
            let row = try await world.pool.query(
                "SELECT secret, replaced_secrets[1] FROM webhook_endpoints")[0]
            for column in 0..<2 {
                let sealed = try row.get(column, as: [UInt8].self)
                #expect(sealed.count > 32 && !read.text.utf8.elementsEqual(sealed))
            }
            // As many secrets as allowed sign beside the new one; a refused rotation names the time
            // until which it is refused, and changes nothing.
            var last = now.json["secret"]
            for _ in 1..<Endpoints.replacedAtMost {
                let reply = await world.send("POST", place + "/secret/rotate")
                #expect(reply.status == 200)
                last = reply.json["secret"]
            }
            let full = await world.send("POST", place + "/secret/rotate")
            full.expectProblem("endpoint-conflict", status: 409)
            #expect(full.text.contains(until.rfc3339))
            await #expect(world.send("GET", place + "/secret").json["secret"] == last)
        }
    }
}
