// Creates that the store accepted.
import Base
import Postgres
import Testing

@testable import API

@Suite struct CreateTests {
    @Test func createReturnsTheDownload() async throws {
        try await APIWorld.with { world in
            let reply = await world.create()
            #expect(reply.status == 201)
            let id = try #require(reply.json["id"]?.stringValue)
            #expect(Identifier(id, kind: .download) != nil)
            #expect(reply["Location"] == "/v1/downloads/" + id)
            #expect(reply["ETag"] == "W/\"1-0\"")
            #expect(reply["Content-Type"] == "application/json")
            #expect(reply.json["state"] == "waiting" && reply.json["session"] == "default")
            #expect(reply.json["timeout_interval_for_resource"] == 604_800)
            #expect(reply.json["blockers"]?[0]?["code"] == "slots")
            #expect(world.told.now.hints == 1)
            let read = await world.send("GET", "/v1/downloads/" + id)
            #expect(read.status == 200 && read.json == reply.json)
        }
    }

    @Test func createKeepsEveryMember() async throws {
        try await APIWorld.with { world in
            let reply = await world.create(
                #"""
                "earliest_begin_date":"2099-11-22T01:00:00+01:00","is_discretionary":true,
                "count_of_bytes_client_expects_to_receive":39,"priority":1,
                "count_of_bytes_client_expects_to_send":7,"task_description":"Zürich 🦉",
                "metadata":{"ticket":"OPS-12"},"webhook_url":"https://hooks.example/done",
                "webhook_events":["download.*"],"timeout_interval_for_request":5,
                "timeout_interval_for_resource":50,"session":null,
                "expected_digest":"SHA256:\#(String(repeating: "AB", count: 32))"
                """#)
            #expect(reply.status == 201, "\(reply.text)")
            let json = reply.json
            #expect(json["earliest_begin_date"] == "2099-11-22T00:00:00.000Z")
            #expect(json["is_discretionary"] == true && json["priority"]?.doubleValue == 1)
            #expect(json["count_of_bytes_client_expects_to_receive"] == 39)
            #expect(json["count_of_bytes_client_expects_to_send"] == 7)
            #expect(json["task_description"] == "Zürich 🦉")
            #expect(json["metadata"] == ["ticket": "OPS-12"])
            #expect(json["webhook_url"] == "https://hooks.example/done")
            #expect(json["webhook_events"] == ["download.*"])
            #expect(json["timeout_interval_for_request"] == 5)
            #expect(json["timeout_interval_for_resource"] == 50)
            let digest = "sha256:" + String(repeating: "ab", count: 32)
            #expect(json["expected_digest"]?.stringValue == digest)
            #expect(json["blockers"]?[0]?["code"] == "earliest_begin_date")
            #expect(json["blockers"]?[0]?["until"] == "2099-11-22T00:00:00.000Z")
            #expect(reply["Retry-After"] == "30")
            let id = try #require(json["id"]?.stringValue)
            await #expect(world.send("GET", "/v1/downloads/" + id).json == json)
        }
    }

    @Test func createTakesDefaultsFromItsSession() async throws {
        try await APIWorld.with { world in
            await world.create("\"session\":\"nightly\"")
                .expectProblem("validation-failed", status: 422)
            let body = #"{"is_discretionary":true,"timeout_interval_for_request":9}"#
            await #expect(world.send("PUT", "/v1/sessions/nightly", body).status == 201)
            let first = await world.create("\"session\":\"nightly\"")
            #expect(first.json["is_discretionary"] == true)
            #expect(first.json["timeout_interval_for_request"] == 9)
            // The change is seen at once, though the session was just remembered.
            let other = #"{"timeout_interval_for_request":10}"#
            await #expect(world.send("PUT", "/v1/sessions/nightly", other).status == 200)
            let second = await world.create("\"session\":\"nightly\"")
            #expect(second.json["is_discretionary"] == false)
            #expect(second.json["timeout_interval_for_request"] == 10)
        }
    }

    @Test func aSuspendedCreateHasNoBlockers() async throws {
        try await APIWorld.with { world in
            let reply = await world.create("\"suspended\":true")
            #expect(reply.json["state"] == "suspended" && reply.json["blockers"] == [])
            #expect(world.told.now.hints == 0)
        }
    }

    /// A create tells the state of its origin from the gates that this process has seen.
    @Test func aCreateSaysThatItsOriginIsNotAsked() async throws {
        try await APIWorld.with { world in
            _ = await world.create()
            let rows = try await world.pool.query(
                """
                UPDATE gates g SET not_before = now() + interval '2 hours' FROM origins o
                WHERE g.kind = lull_gate('origin') AND g.key = o.origin_key RETURNING g.key
                """)
            let origin = try rows[0].get(0, as: Int64.self)
            world.told.change { $0.heldBack = [origin] }
            let one = #"{"url":"https://mirror.example/b.iso"}"#
            for _ in 0..<2 {
                let reply = await world.send(
                    "POST", "/v1/downloads", one, headers: [("Idempotency-Key", "k")])
                #expect(reply.status == 201)
                #expect(codes(reply.json) == ["origin_pushback"])
            }
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                "{\"downloads\":[\(one),{\"url\":\"https://other.example/\"}]}")
            #expect(batch.status == 201)
            #expect(batch.json["data"]?.arrayValue?.map(codes) == [["origin_pushback"], ["slots"]])
        }
    }

    private func codes(_ download: JSON) -> [String?]? {
        download["blockers"]?.arrayValue?.map { $0["code"]?.stringValue }
    }

    @Test func onlyDueDownloadsWakeTheWorker() async throws {
        try await APIWorld.with { world in
            _ = await world.create("\"earliest_begin_date\":\"2099-01-01T00:00:00Z\"")
            #expect(world.told.now.hints == 0 && world.told.now.deliveries == 0)
            _ = await world.create("\"earliest_begin_date\":\"2001-01-01T00:00:00Z\"")
            #expect(world.told.now.hints == 1 && world.told.now.deliveries == 0)
            let told = await world.create("\"webhook_url\":\"https://hooks.example/done\"")
            #expect(world.told.now.hints == 2 && world.told.now.deliveries == 1)
            let path = try #require(told["Location"])
            await #expect(world.send("POST", path + "/suspend").status == 200)
            #expect(world.told.now.hints == 2 && world.told.now.deliveries == 2)
        }
    }

    @Test func unknownPreferencesAreIgnored() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#,
                headers: [("Prefer", "respond-async, handling=odd; x")])
            #expect(reply.status == 201)
        }
    }
}
