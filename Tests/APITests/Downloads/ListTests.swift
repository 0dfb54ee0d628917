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

    /// The orders by time have pages that meet, and hold what their filter selects.
    @Test func orderedListsContinueWithoutGapOrRepetition() async throws {
        try await APIWorld.with { world in
            var (ended, waiting): ([String], [String]) = ([], [])
            for number in 0..<7 {
                let id = try #require(await world.create().json["id"]?.stringValue)
                if number % 2 == 0 {
                    try await world.fail(id)
                } else {
                    try await world.succeed(id, result: ["content": ["length": 1]])
                }
                ended.append(id)
                let begin = "\"earliest_begin_date\":\"209\(9 - number)-01-01T00:00:00Z\""
                waiting.append(try #require(await world.create(begin).json["id"]?.stringValue))
            }
            let cases: [(String, [String])] = [
                ("order=completed_at", ended), ("order=-completed_at", ended.reversed()),
                ("order=next&state=waiting", waiting.reversed()),
                (
                    "order=-completed_at&state=failed",
                    [ended[6], ended[4], ended[2], ended[0]]
                ),
            ]
            for (query, expected) in cases {
                var seen: [String] = []
                var path: String? = "/v1/downloads?limit=2&" + query
                while let next = path {
                    let reply = await world.send("GET", next)
                    #expect(reply.status == 200, "\(reply.json)")
                    seen += ids(reply)
                    path = (reply["Link"]?.split(separator: ">").first?.dropFirst()).map(
                        String.init)
                    #expect((path == nil) == (reply.json["next_cursor"] == .null))
                }
                #expect(seen == expected, "\(query)")
            }
        }
    }

    @Test(arguments: [
        "order=next", "order=next&state=waiting,running", "order=completed_at&state=waiting",
        "order=-completed_at&state=failed,running", "order=name", "view=whole", "view=",
        "error_code=oops", "q=", "completed_after=yesterday",
        "order=next&state=waiting&cursor=01JZ8Q2M9V7T4K3H2G1F0E9D8C",
        "cursor=01JZ8Q2M9V7T4K3H2G1F0E9D8C.17", "order=completed_at&cursor=.17",
        "order=completed_at&cursor=01JZ8Q2M9V7T4K3H2G1F0E9D8C.x",
        "order=completed_at&cursor=01JZ8Q2M9V7T4K3H2G1F0E9D8C.1.2",
    ])
    func refusesWhatDoesNotFit(_ query: String) async throws {
        let reply = try await APIWorld.alone().send("GET", "/v1/downloads?" + query)
        reply.expectProblem("validation-failed", status: 422)
    }

    /// A part of a name or URL is literal, and its case does not matter.
    @Test func textIsFoundInNamesAndURLs() async throws {
        try await APIWorld.with { world in
            func made(_ url: String, _ members: String = "") async throws -> String {
                let body = "{\"url\":\"\(url)\"\(members.isEmpty ? "" : "," + members)}"
                let reply = await world.send("POST", "/v1/downloads", body)
                return try #require(reply.json["id"]?.stringValue, "\(reply.json)")
            }
            let plain = try await made("https://a.example/Debian_12.ISO")
            let encoded = try await made("https://a.example/r%C3%A9sum%C3%A9%20100%25.pdf")
            let named = try await made("https://a.example/x", "\"filename\":\"Year Book.zip\"")
            let asked = try await made("https://a.example/y?part=seven")
            let cases: [(String, [String])] = [
                ("debian_12", [plain]), ("DEBIAN", [plain]), ("debian%2512", []), ("_12.", [plain]),
                ("r%C3%A9sum%C3%A9%20100%25", [encoded]), ("year%20book", [named]),
                ("part=SEVEN", [asked]), ("a.example", [asked, named, encoded, plain]),
                ("%5C", []), ("%25%25", []),
            ]
            for (text, expected) in cases {
                let reply = await world.send("GET", "/v1/downloads?q=" + text)
                #expect(ids(reply) == expected, "\(text)")
            }
        }
    }

    @Test func failuresAreFoundByCodeAndTimeOfTheirEnd() async throws {
        try await APIWorld.with { world in
            let failed = try #require(await world.create().json["id"]?.stringValue)
            try await world.fail(failed)
            _ = await world.create()
            let code = try #require(
                await world.send("GET", "/v1/downloads/" + failed).json["error"]?["code"]?
                    .stringValue)
            let other = code == "timed_out" ? "stalled" : "timed_out"
            let cases: [(String, [String])] = [
                ("error_code=" + code, [failed]), ("error_code=" + other, []),
                ("completed_after=2020-01-01T00:00:00Z", [failed]),
                ("completed_after=2099-01-01T00:00:00Z", []),
                ("order=-completed_at&completed_after=2020-01-01T00:00:00Z", [failed]),
                ("order=completed_at&completed_after=2099-01-01T00:00:00Z", []),
            ]
            for (query, expected) in cases {
                await #expect(
                    ids(world.send("GET", "/v1/downloads?" + query)) == expected, "\(query)")
            }
        }
    }

    /// A row has the values of the whole download, in fewer than 500 bytes.
    @Test func rowsAreTheShortForm() async throws {
        try await APIWorld.with { world in
            let waiting = try #require(
                await world.create("\"earliest_begin_date\":\"2099-01-01T00:00:00Z\"")
                    .json["id"]?.stringValue)
            let failed = try #require(await world.create().json["id"]?.stringValue)
            try await world.fail(failed)
            let reply = await world.send("GET", "/v1/downloads?view=row")
            let rows = try #require(reply.json["data"]?.arrayValue)
            #expect(rows.count == 2)
            for row in rows {
                let id = try #require(row["id"]?.stringValue)
                let whole = await world.send("GET", "/v1/downloads/" + id).json
                for name in [
                    "session", "state", "count_of_bytes_received", "created_at", "completed_at",
                    "count_of_bytes_expected_to_receive", "sequence", "bytes_per_second",
                    "completes_at",
                ] {
                    #expect(row[name] == whole[name], "\(name)")
                }
                #expect((row["error_code"] == .null) == (id == waiting))
                #expect((row["blocker"] == .null) == (id == failed))
                #expect(row.serialized().count < 500)
            }
            let blocker = rows.first { $0["id"]?.stringValue == waiting }?["blocker"]
            #expect(blocker?["code"] == "earliest_begin_date" && blocker?["rule"] == .null)
            #expect(blocker?["until"] == "2099-01-01T00:00:00.000Z")
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
