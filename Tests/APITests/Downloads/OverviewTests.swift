// The overview: counts that agree with the lists, reasons, failures, and what needs somebody.
import Base
import Downloads
import Postgres
import Testing

@testable import API

@Suite struct OverviewTests {
    private func overview(_ world: APIWorld) async throws -> JSON {
        let reply = await world.send("GET", "/v1/overview")
        #expect(reply.status == 200, "\(reply.json)")
        return reply.json
    }

    @Test func overviewOfNothingHasZeros() async throws {
        try await APIWorld.with { world in
            let overview = try await overview(world)
            #expect(overview["states_are_complete"] == true)
            #expect(overview["blockers"] == [] && overview["failures"] == [])
            #expect(overview["attention"] == [] && overview["oldest_waiting_since"] == .null)
            let counts = try #require(overview["states"]?.objectValue).members
            #expect(counts.count == 8 && counts.allSatisfy { $0.value == 0 })
        }
    }

    /// Each count is the number of downloads that the list with that state shows.
    @Test func countsAgreeWithTheLists() async throws {
        try await APIWorld.with { world in
            func made(_ members: String = "") async throws -> String {
                try #require(await world.create(members).json["id"]?.stringValue)
            }
            for _ in 0..<3 { _ = try await made() }
            for number in 0..<2 {
                _ = try await made(
                    "\"earliest_begin_date\":\"2099-01-01T00:00:0\(number)Z\"")
            }
            _ = try await made("\"suspended\":true")
            for _ in 0..<2 { try await world.run(try await made(), bytes: 1) }
            for _ in 0..<4 { try await world.fail(try await made()) }
            try await world.succeed(try await made(), result: ["content": ["length": 1]])
            _ = await world.send("POST", "/v1/downloads/\(try await made())/cancel")
            let upload = await world.send(
                "POST", "/v1/uploads",
                "{\"destination\":{\"url\":\"https://r.example/\"},\"length\":3}")
            #expect(upload.status == 201, "\(upload.json)")
            let overview = try await overview(world)
            for (state, count) in try #require(overview["states"]?.objectValue).members {
                let list = await world.send("GET", "/v1/downloads?limit=200&state=" + state)
                #expect(
                    count.integerValue.map(Int.init) == list.json["data"]?.arrayValue?.count,
                    "\(state)")
            }
            #expect(overview["uploads"]?["receiving"] == 1 && overview["uploads"]?["waiting"] == 0)
            let blockers = try #require(overview["blockers"]?.arrayValue)
            #expect(blockers.reduce(0) { $0 + ($1["count"]?.integerValue ?? 0) } == 5)
            #expect(overview["blockers_are_complete"] == true)
            let later = try #require(blockers.first { $0["code"] == "earliest_begin_date" })
            #expect(later["count"] == 2 && later["until"] == "2099-01-01T00:00:00.000Z")
            let failures = try #require(overview["failures"]?.arrayValue)
            #expect(failures.count == 1 && failures[0]["count"] == 4)
            #expect(failures[0]["code"] == "http_status")
            #expect(failures[0]["origin"] == "https://mirror.example:443")
            #expect(overview["states"]?["running"] == 2)
        }
    }

    @Test func whatNeedsSomebodyIsNamedWithItsCause() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            let name = try #require(Identifier(id, kind: .download)).hexadecimal
            _ = try await world.pool.query(
                """
                WITH q AS (
                    UPDATE queue SET state = lull_state('attention_required')
                    WHERE id = ($1::text)::uuid RETURNING *)
                SELECT lull_keep_results(ARRAY[ROW(q.id, NULL, NULL, 0, NULL, 1, 2, NULL,
                    '{"error": {"code": "insufficient_storage", "detail": "no room"}}',
                    q.app_no)::download_results]) FROM q
                """, [name])
            let overview = try await overview(world)
            let attention = try #require(overview["attention"]?.arrayValue)
            #expect(attention.count == 1 && attention[0]["id"]?.stringValue == id)
            #expect(attention[0]["name"] == "a.iso" && attention[0]["detail"] == "no room")
            #expect(overview["states"]?["attention_required"] == 1)
        }
    }
}
