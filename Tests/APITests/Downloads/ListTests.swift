// Lists: pages that meet without gap and overlap, and filters.
import Core
import Testing

@testable import API

@Suite struct ListTests {
    private func ids(_ reply: Reply) -> [String] {
        reply.json["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }

    @Test func anEmptyListIsAPage() async throws {
        try await APIWorld.with { world in
            let reply = await world.send("GET", "/v1/downloads")
            #expect(reply.status == 200 && reply["Link"] == nil)
            #expect(reply.json == ["data": [], "next_cursor": nil])
        }
    }

    @Test func pagesMeet() async throws {
        try await APIWorld.with { world in
            var made: Set<String> = []
            for _ in 0..<5 {
                made.insert(try #require(await world.create().json["id"]?.stringValue))
            }
            var seen: [String] = []
            var path: String? = "/v1/downloads?limit=2"
            while let next = path {
                let reply = await world.send("GET", next)
                #expect(reply.status == 200)
                seen += ids(reply)
                let cursor = reply.json["next_cursor"]?.stringValue
                path = cursor.map { "/v1/downloads?limit=2&cursor=" + $0 }
                #expect(reply["Link"] == path.map { "<\($0)>; rel=\"next\"" })
            }
            #expect(seen.count == 5 && Set(seen) == made)
            #expect(seen == seen.sorted(by: >))
        }
    }

    @Test func filters() async throws {
        try await APIWorld.with { world in
            await #expect(world.send("PUT", "/v1/sessions/a", "{}").status == 201)
            let waiting = try #require(await world.create().json["id"]?.stringValue)
            let other = try #require(
                await world.create("\"session\":\"a\"").json["id"]?.stringValue)
            let suspended = try #require(
                await world.create("\"suspended\":true").json["id"]?.stringValue)
            let failed = try #require(await world.create().json["id"]?.stringValue)
            try await world.fail(failed)
            let cases: [(String, Set<String>)] = [
                ("state=waiting", [waiting, other]), ("session=a", [other]),
                ("state=suspended,failed", [suspended, failed]),
                ("state=waiting&session=default", [waiting]), ("session=none", []),
                ("state=running", []),
            ]
            for (query, expected) in cases {
                let reply = await world.send("GET", "/v1/downloads?" + query)
                #expect(Set(ids(reply)) == expected, "\(query)")
            }
            let page = await world.send("GET", "/v1/downloads?limit=1&state=failed,suspended")
            #expect(page["Link"]?.contains("&state=suspended,failed") == true)
        }
    }

    @Test func waitingOnesSayWhy() async throws {
        try await APIWorld.with { world in
            _ = await world.create()
            let reply = await world.send("GET", "/v1/downloads")
            #expect(reply.json["data"]?[0]?["blockers"]?[0]?["code"] == "slots")
        }
    }
}
