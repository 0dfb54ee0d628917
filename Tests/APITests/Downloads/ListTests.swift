// Lists: pages that meet without gap and overlap, and filters.
import Base
import Testing

@testable import API

@Suite struct ListTests {
    private func ids(_ reply: Reply) -> [String] {
        reply.json["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }

    @Test func listOfNothingIsAnEmptyPage() async throws {
        try await APIWorld.with { world in
            let reply = await world.send("GET", "/v1/downloads")
            #expect(reply.status == 200 && reply["Link"] == nil)
            #expect(reply.json == ["data": [], "next_cursor": nil, "truncated": false])
        }
    }

    @Test func listPagesContinueWithoutGapOrRepetition() async throws {
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

    @Test func listFilters() async throws {
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
            #expect(page["Link"]?.contains("&state=failed,suspended") == true)
        }
    }

    @Test func listFiltersCombine() async throws {
        try await APIWorld.with { world in
            let plain = try #require(
                await world.create(#""metadata":{"a b":"1&2","c":"3"}"#).json["id"]?.stringValue)
            let other = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"http://other.example:81/x","metadata":{"c":"3"}}"#)
            let id = try #require(other.json["id"]?.stringValue)
            let at = try #require(other.json["created_at"]?.stringValue)
            let cases: [(String, [String])] = [
                ("origin=https://mirror.example", [plain]),
                ("origin=HTTPS://mirror.example:443/", [plain]),
                ("origin=http://other.example:81", [id]), ("origin=http://other.example", []),
                ("metadata[c]=3", [id, plain]),
                ("metadata%5Ba%20b%5D=1%262&metadata[c]=3", [plain]),
                ("metadata[c]=4", []), ("created_after=" + at, [id]),
                ("created_before=" + at, [plain]), ("created_after=2099-01-01T00:00:00Z", []),
                ("order=created_at", [plain, id]), ("order=-created_at", [id, plain]),
            ]
            for (query, expected) in cases {
                let reply = await world.send("GET", "/v1/downloads?" + query)
                #expect(ids(reply) == expected, "\(query) \(reply.text)")
            }
            let page = await world.send(
                "GET", "/v1/downloads?order=created_at&metadata[c]=3&limit=1")
            #expect(ids(page) == [plain])
            let link = try #require(page["Link"])
            let next = try #require(link.firstMatch(of: /<(.*)>; rel="next"/)).1
            await #expect(ids(world.send("GET", String(next))) == [id])
        }
    }

    @Test(arguments: [
        ("origin=mirror.example", "?origin"), ("origin=https://a.example/x", "?origin"),
        ("created_after=yesterday", "?created_after"), ("order=id", "?order"),
        ("metadata[a]=1&metadata[a]=2", "?metadata[a]"), ("metadata=1", "?metadata"),
        ("meta[a]=1", "?meta[a]"),
    ]) func refusesInvalidFilters(query: String, pointer: String) async throws {
        let reply = try await APIWorld.alone().send("GET", "/v1/downloads?" + query)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == [pointer])
    }

    @Test func listShowsBlockers() async throws {
        try await APIWorld.with { world in
            _ = await world.create()
            let reply = await world.send("GET", "/v1/downloads")
            #expect(reply.json["data"]?[0]?["blockers"]?[0]?["code"] == "slots")
        }
    }
}
