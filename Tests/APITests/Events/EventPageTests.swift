// Pages of events, and the queries that are refused.
import Base
import HTTPWire
import Postgres
import Store
import Testing

@testable import API

@Suite struct EventPageTests {
    private func names(_ reply: Reply) -> [String] {
        reply.json["data"]?.arrayValue?.compactMap { $0["type"]?.stringValue } ?? []
    }

    @Test func eventPagesContinueWithoutGapOrRepetition() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            for action in ["suspend", "resume", "cancel"] {
                #expect(await world.send("POST", "/v1/downloads/\(id)/\(action)").status == 200)
            }
            let expected = ["created", "suspended", "resumed", "canceled"].map { "download." + $0 }
            for path in ["/v1/events", "/v1/downloads/\(id)/events"] {
                let all = try await world.events(4, path)
                #expect(all.status == 200 && all["Content-Type"] == "application/json")
                #expect(names(all) == expected)
                #expect(all.json["next_cursor"] == .null && all["Link"] == nil)
                let first = try #require(all.json["data"]?.arrayValue?.first)
                #expect(first["id"]?.stringValue?.hasPrefix("evt_") == true)
                #expect(first["data"]?["id"]?.stringValue == id)
                #expect(first["data"]?["state"]?.stringValue == "waiting")
                var seen: [String] = []
                var next: String? = path + "?limit=1"
                for _ in 0..<9 {
                    guard let target = next else { break }
                    let page = await world.send("GET", target)
                    seen += names(page)
                    next = page["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
                }
                #expect(seen == expected)
                let some = await world.send(
                    "GET", path + "?types=download.resumed,download.created")
                #expect(names(some) == ["download.created", "download.resumed"])
            }
            #expect(names(await world.send("GET", "/v1/events?session=default")).count == 4)
            #expect(names(await world.send("GET", "/v1/events?session=other")).isEmpty)
        }
    }

    /// The short form of an event has the members that a list has, but for the reason.
    @Test func rowsOfEventsAreTheRowsOfLists() async throws {
        try await APIWorld.with { world in
            let made = [
                await world.create(#""filename":"a.iso","metadata":{"a":"b"}"#),
                await world.create(#""count_of_bytes_client_expects_to_receive":7"#),
                await world.send(
                    "POST", "/v1/uploads",
                    #"{"destination":{"url":"https://r.example/b.iso"},"length":3}"#),
            ]
            for reply in made {
                let path = try #require(reply["Location"])
                #expect(await world.send("POST", path + "/suspend").status == 200)
            }
            func rows(_ list: String) async throws -> [JSONObject] {
                try #require(await world.send("GET", list).json["data"]?.arrayValue)
                    .compactMap(\.objectValue)
            }
            let listed =
                try await rows("/v1/downloads?view=row") + rows("/v1/uploads?view=row")
            let types = "types=download.suspended,upload.suspended"
            let filter = "?view=row&" + types
            let events = try await world.events(3, "/v1/events" + filter)
            let first = try #require(
                await world.send("GET", "/v1/events").json["data"]?[0]?["id"]?.stringValue)
            let whole = try #require(
                await world.send("GET", "/v1/events?" + types).json["data"]?.arrayValue)
            let shown = try #require(events.json["data"]?.arrayValue)
            #expect(shown.count == 3 && listed.count == 3)
            for event in shown {
                let same = try #require(whole.first { $0["id"] == event["id"] }?.objectValue)
                var short = try #require(event.objectValue)
                short["data"] = same["data"]
                #expect(short == same)
                let row = try #require(event["data"]?.objectValue)
                var listedRow = try #require(listed.first { $0["id"] == row["id"] })
                listedRow["blocker"] = .null
                #expect(row == listedRow)
                #expect(row.members.map(\.key) == listedRow.members.map(\.key))
                let own =
                    "/v1/\(row["id"]?.stringValue?.hasPrefix("up_") == true ? "up" : "down")"
                    + "loads/\(row["id"]?.stringValue ?? "")/events" + filter
                #expect(await world.send("GET", own).json["data"]?[0]?["data"] == .object(row))
                let reader = StreamReader()
                await reader.read(
                    await world.send(
                        "GET", "/v1/events" + filter + "&after=" + first,
                        headers: [("Accept", "text/event-stream")])
                ) { $0.contains("up_") && $0.contains("a.iso") }
                #expect(reader.seen.contains(JSON.object(row).text))
            }
        }
    }

    @Test func afterTakesAnEventIdentifier() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            for action in ["suspend", "resume", "cancel"] {
                #expect(await world.send("POST", "/v1/downloads/\(id)/\(action)").status == 200)
            }
            let paths = ["/v1/events", "/v1/downloads/\(id)/events"]
            var first = ""
            for path in paths {
                let events = try await world.events(4, path).json["data"]?.arrayValue ?? []
                #expect(events.count == 4)
                first = events.first?["id"]?.stringValue ?? ""
                for event in events {
                    let name = try #require(event["id"]?.stringValue)
                    let cursor = try #require(event["cursor"]?.stringValue)
                    let byName = await world.send("GET", path + "?after=" + name)
                    let byCursor = await world.send("GET", path + "?after=" + cursor)
                    #expect(byName.status == 200 && byName.json == byCursor.json)
                    #expect(byName.json["gap"] == false)
                }
            }
            // An event that is gone, or was never there, is a gap before all later ones.
            _ = try await world.pool.query("DELETE FROM events WHERE sequence = 1")
            let made = Identifier(high: 0x0199_0000_0000_7000, low: 1 << 63 | 77)
            for path in paths {
                let kept = await world.send("GET", path)
                #expect(names(kept).count == 3)
                for name in [first, made.text(.event)] {
                    let reply = await world.send("GET", path + "?wait=60&after=" + name)
                    #expect(reply.json["gap"] == true && reply.json["data"] == kept.json["data"])
                }
            }
        }
    }

    @Test func waitHoldsAnEmptyPageUntilAnEvent() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            let all = try await world.events(1, "/v1/events")
            let last = try #require(all.json["data"]?.arrayValue?.last?["cursor"]?.stringValue)
            for path in ["/v1/events", "/v1/downloads/\(id)/events"] {
                #expect(names(await world.send("GET", "\(path)?after=\(last)&wait=0")).isEmpty)
            }
            async let journal = world.send("GET", "/v1/events?after=\(last)&wait=60")
            async let own = world.send("GET", "/v1/downloads/\(id)/events?after=\(last)&wait=60")
            #expect(await world.send("POST", "/v1/downloads/\(id)/suspend").status == 200)
            #expect(names(await journal) == ["download.suspended"])
            #expect(names(await own) == ["download.suspended"])
        }
    }

    @Test(arguments: [
        ("?after=", "?after"), ("?after=x", "?after"), ("?after=1", "?after"),
        ("?after=1--1", "?after"),
        ("?after=01-1", "?after"), ("?after=A-1", "?after"), ("?after=evt_1", "?after"),
        ("?after=dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C", "?after"), ("?types=", "?types"),
        ("?types=download.gone", "?types"), ("?limit=0", "?limit"), ("?limit=201", "?limit"),
        ("?wait=61", "?wait"), ("?session=", "?session"), ("?cursor=1-1", "?cursor"),
    ])
    func refusesUnknownEventParameters(_ query: String, _ pointer: String) async throws {
        let world = try APIWorld.alone()
        // Unknown parameters are refused even if a header field takes precedence.
        for headers in [[], [("Last-Event-ID", "2s8-1d")]] {
            let reply = await world.send("GET", "/v1/events" + query, headers: headers)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer])
        }
    }

    @Test func refusesInvalidEventCursors() async throws {
        let reply = try await APIWorld.alone().send(
            "GET", "/v1/events",
            headers: [("Accept", "text/event-stream"), ("Last-Event-ID", "4182")])
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == ["Last-Event-ID"])
    }

    @Test func eventsOfAnUnknownDownloadAre404() async throws {
        try await APIWorld.with { world in
            let path = "/v1/downloads/dl_00000000000000000000000000/events"
            for headers in [[], [("Accept", "text/event-stream")]] {
                await world.send("GET", path, headers: headers)
                    .expectProblem("not-found", status: 404)
            }
        }
    }

    @Test(arguments: [
        ("text/event-stream", true), ("text/event-stream, */*", true),
        ("application/json;q=0.5, text/event-stream", true),
        ("application/json, text/event-stream;q=0.5", false), ("*/*", false),
        ("text/event-stream;q=0", false), ("", false), ("TEXT/Event-Stream", true),
    ])
    func streamsOnlyForAcceptTextEventStream(_ field: String, _ isStream: Bool) {
        #expect(Accept.prefersStream([field]) == isStream)
    }
}
