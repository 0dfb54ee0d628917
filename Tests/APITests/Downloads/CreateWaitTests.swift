// Creates that wait for the end of the download, and dry runs, which store nothing.
import Base
import Postgres
import Testing

@testable import API

@Suite struct CreateWaitTests {
    private static let body = #"{"url":"https://a.example/"}"#

    @Test func preferWaitHoldsTheCreateUntilTheEnd() async throws {
        try await APIWorld.with { world in
            let headers = [("Prefer", "wait=60"), ("Idempotency-Key", "k")]
            async let reply = world.send(
                "POST", "/v1/downloads", CreateWaitTests.body, headers: headers)
            var id: String?
            for _ in 0..<1000 where id == nil {
                let list = await world.send("GET", "/v1/downloads")
                id = list.json["data"]?[0]?["id"]?.stringValue
                try await Task.sleep(for: .milliseconds(5))
            }
            let name = try #require(id)
            // Cancelled by the client: the hub is notified at once.
            _ = await world.send("POST", "/v1/downloads/\(name)/cancel")
            let held = await reply
            #expect(held.status == 201 && held.json["state"] == "canceled")
            #expect(held["Preference-Applied"] == "wait=60")
            #expect(held["Location"] == "/v1/downloads/" + name)
            let again = await world.send(
                "POST", "/v1/downloads", CreateWaitTests.body, headers: headers)
            #expect(again.text == held.text && again["Idempotent-Replayed"] == "true")
        }
    }

    @Test func preferWaitReturns201WhenItIsOver() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads", CreateWaitTests.body, headers: [("Prefer", "wait=1")])
            #expect(reply.status == 201 && reply.json["state"] == "waiting")
            let path = try #require(reply["Location"])
            let read = await world.send("GET", path, headers: [("Prefer", "wait=0")])
            #expect(read.status == 200 && read["Preference-Applied"] == "wait=0")
        }
    }

    @Test func aDryRunStoresNothing() async throws {
        try await APIWorld.with { world in
            let headers = [("Idempotency-Key", "k")]
            let path = "/v1/downloads?dry_run=true"
            let reply = await world.send("POST", path, CreateWaitTests.body, headers: headers)
            #expect(reply.status == 200 && reply.json["state"] == "waiting")
            #expect(reply["Location"] == nil && reply.json["blockers"]?[0] != nil)
            await world.send("POST", path, "{}").expectProblem("validation-failed", status: 422)
            let batch = await world.send(
                "POST", "/v1/downloads/batch?dry_run=true",
                "{\"downloads\":[\(CreateWaitTests.body)]}", headers: headers)
            #expect(batch.status == 200 && batch.json["data"]?.arrayValue?.count == 1)
            for table in ["downloads", "queue", "idempotency_keys"] {
                let rows = try await world.pool.query("SELECT count(*) FROM \(table)")
                #expect(try rows[0].get(0, as: Int64.self) == 0, "\(table)")
            }
            #expect(world.told.now.hints == 0)
            await world.send("POST", "/v1/downloads?dry_run=1", CreateWaitTests.body)
                .expectProblem("validation-failed", status: 422)
        }
    }
}
