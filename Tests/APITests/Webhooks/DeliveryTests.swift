// Deliveries by the API: listed, read, sent once more, pings.
import Base
import Postgres
import Store
import Testing

@testable import API

@Suite struct DeliveryTests {
    private func endpoint(_ world: APIWorld) async throws -> String {
        let made = await world.send(
            "POST", "/v1/webhook_endpoints",
            #"{"url":"https://hooks.example/a","events":["download.created"]}"#)
        return try #require(made["Location"])
    }

    @Test func deliveriesAreListedAndRead() async throws {
        try await APIWorld.with { world in
            let place = try await endpoint(world)
            let before = world.told.now.deliveries
            let created = await world.create(
                #""webhook_url":"https://hooks.example/b","#
                    + #""webhook_events":["download.created"]"#)
            #expect(world.told.now.deliveries > before)
            let download = try #require(created.json["id"])
            let all = await world.send("GET", "/v1/webhook_deliveries")
            let data = try #require(all.json["data"]?.arrayValue)
            #expect(data.count == 2 && all.json["next_cursor"]?.isNull == true)
            for delivery in data {
                #expect(delivery["download"] == download && delivery["state"] == "pending")
                #expect(delivery["type"] == "download.created" && delivery["request"] == nil)
            }
            let page = await world.send("GET", "/v1/webhook_deliveries?limit=1")
            let cursor = try #require(page.json["next_cursor"]?.stringValue)
            #expect(page["Link"]?.contains("cursor=\(cursor)") == true)
            let rest = await world.send("GET", "/v1/webhook_deliveries?limit=1&cursor=\(cursor)")
            #expect(rest.json["data"]?.arrayValue?.first == data[1])
            for (query, count) in [
                ("?endpoint=default", 1), ("?state=pending", 2), ("?state=exhausted", 0),
                ("?download=\(download.stringValue ?? "")", 2),
                ("?download=dl_0\(String(repeating: "0", count: 25))", 0),
            ] {
                let reply = await world.send("GET", "/v1/webhook_deliveries" + query)
                #expect(reply.json["data"]?.arrayValue?.count == count, "\(query)")
            }
            let own = await world.send("GET", place + "/deliveries")
            let id = try #require(own.json["data"]?.arrayValue?.first?["id"]?.stringValue)
            let one = await world.send("GET", "/v1/webhook_deliveries/\(id)")
            let body = try #require(one.json["request"]?["body"]?.stringValue)
            let sent = try JSON.parse(Array(body.utf8))
            #expect(sent["type"] == "download.created" && sent["data"]?["app"] == "default")
            for query in [
                "?state=x", "?cursor=0", "?cursor=-", "?download=x", "?endpoint=x", "?limit=0",
            ] {
                let reply = await world.send("GET", "/v1/webhook_deliveries" + query)
                reply.expectProblem("validation-failed", status: 422)
            }
            for id in [
                "x", "whd_", "whe_" + id.dropFirst(4), "whd_" + String(repeating: "0", count: 26),
            ] {
                await world.send("GET", "/v1/webhook_deliveries/\(id)")
                    .expectProblem("not-found", status: 404)
            }
        }
    }

    @Test func redeliverQueuesTheSameDelivery() async throws {
        try await APIWorld.with { world in
            let place = try await endpoint(world)
            let created = await world.create()
            _ = try await world.pool.query(
                """
                UPDATE deliveries SET state = 3, finished_at = now(), attempt = 1, last_status = 500
                """
            )
            let list = await world.send("GET", place + "/deliveries?state=exhausted")
            let id = try #require(list.json["data"]?.arrayValue?.first?["id"]?.stringValue)
            let path = "/v1/webhook_deliveries/\(id)/redeliver"
            let told = world.told.now.deliveries
            let reply = await world.send("POST", path)
            #expect(reply.status == 202 && reply.json["id"]?.stringValue == id)
            #expect(reply.json["state"] == "pending" && world.told.now.deliveries == told + 1)
            #expect(reply.json["attempts"]?.arrayValue?.count == 1)
            // The delivery waits already.
            await #expect(world.send("POST", path).status == 202)
            await world.send("PATCH", place, #"{"enabled":false}"#)
                .expectStatus(200)
            await world.send("POST", path).expectProblem("endpoint-conflict", status: 409)
            let dl = try #require(created.json["id"]?.stringValue)
            await world.send("POST", "/v1/downloads/\(dl)/cancel").expectStatus(200)
            await world.send("DELETE", "/v1/downloads/\(dl)").expectStatus(204)
            await world.send("POST", path).expectProblem("delivery-erased", status: 410)
        }
    }

    @Test func pingsAndRecoveryAnswerWhatTheyQueued() async throws {
        try await APIWorld.with { world in
            let place = try await endpoint(world)
            let ping = await world.send("POST", place + "/ping")
            #expect(ping.status == 202 && ping.json["type"] == "endpoint.ping")
            #expect(ping.json["download"]?.isNull == true && ping.json["event"]?.isNull == false)
            _ = await world.create()
            _ = try await world.pool.query("UPDATE deliveries SET state = 4, finished_at = now()")
            let body = #"{"since":"2020-01-01T00:00:00Z"}"#
            let reply = await world.send("POST", place + "/recover", body)
            #expect(reply.status == 202 && reply.json == ["queued": 1, "is_complete": true])
            for (body, pointers) in [
                ("{}", ["#/since"]), (#"{"since":"x"}"#, ["#/since"]),
                (#"{"since":"2020-01-02T00:00:00Z","until":"2020-01-01T00:00:00Z"}"#, ["#/since"]),
                (#"{"since":"2020-01-01T00:00:00Z","limit":1}"#, ["#/limit"]),
            ] {
                let refused = await world.send("POST", place + "/recover", body)
                #expect(refused.status == 422 && refused.pointers == pointers, "\(body)")
            }
            await world.send("PATCH", place, #"{"enabled":false}"#).expectStatus(200)
            await world.send("POST", place + "/recover", body)
                .expectProblem("endpoint-conflict", status: 409)
        }
    }
}

extension Reply {
    /// Expects the answer to have a status.
    func expectStatus(_ status: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(text)", sourceLocation: location)
    }
}
