// Sources of the kind feed: the downloads of their items, each key once, within the app's limits.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@testable import API

@Suite struct FeedTests {
    private static let path = "/v1/sources/pod"
    private static let look = Identifier(high: 7, low: 7)

    private static func document(_ members: String = "") -> String {
        #"{"url":"https://pod.example/feed","kind":"feed","schedule":{"every":"6h"}"#
            + (members.isEmpty ? "" : "," + members) + "}"
    }

    private static func choice(
        _ number: Int, _ url: String? = nil, after delay: Duration = .zero
    ) throws -> ChosenItem {
        let url = try SourceURL(parsing: url ?? "https://pod.example/\(number).mp3")
        let enclosure = Enclosure(url: url, type: nil, length: nil)
        var choice = ChosenItem(
            key: "g\(number)",
            item: FeedItem(
                guid: "g\(number)", title: "Show \(number)", date: nil, enclosures: [enclosure]),
            enclosure: enclosure)
        choice.delay = delay
        return choice
    }

    private func source(_ world: APIWorld) async throws -> SourceRecord {
        let found = try await world.dependencies.store.downloads.sources.find(
            app: 1, identifier: "pod")
        return try #require(found)
    }

    private func queue(_ items: [ChosenItem], _ world: APIWorld) async throws -> QueuedItems {
        try await LookHandler(world.dependencies).queue(
            items, of: try await source(world), by: Self.look, after: 0)
    }

    private func items(_ world: APIWorld) async throws -> [JSON] {
        let reply = await world.send("GET", Self.path + "/items")
        return try #require(reply.json["data"]?.arrayValue, "\(reply.text)")
    }

    @Test func theDocumentOfAFeedIsShownWithItsDefaults() async throws {
        try await APIWorld.with { world in
            let made = await world.send("PUT", Self.path, Self.document())
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["kind"] == "feed" && made.json["select"] == [:])
            #expect(made.json["key"] == "guid" && made.json["first"] == "latest")
            #expect(made.json["spacing"] == "0s" && made.json["items"] == 0)
            let same = await world.send("PUT", Self.path, Self.document(#""first":"latest""#))
            #expect(same.json["version"] == 1)
            let changed = await world.send(
                "PATCH", Self.path, #"{"select":{"title":"*x*"}}"#, headers: SourceTests.type)
            #expect(changed.json["select"] == ["title": "*x*"] && changed.json["version"] == 2)
            let file = #"{"url":"https://pod.example/feed","schedule":{"every":"6h"}}"#
            await world.send("PUT", Self.path, file)
                .expectProblem("source-conflict", status: 409)
        }
    }

    @Test func anItemIsStoredWithItsKeyOnce() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            for stored in [2, 2] {
                let queued = try await queue([try Self.choice(1), try Self.choice(2)], world)
                #expect(queued.stored == stored && queued.left == 0 && queued.refused.isEmpty)
            }
            // By another look as well.
            let handler = LookHandler(world.dependencies)
            _ = try await handler.queue(
                [try Self.choice(2, "https://pod.example/other.mp3")], of: try await source(world),
                by: Identifier(high: 8, low: 8), after: 0)
            let items = try await items(world)
            #expect(items.map { $0["key"] } == ["g2", "g1"])
            #expect(items.map { $0["url"]?.stringValue?.suffix(5) } == ["2.mp3", "1.mp3"])
            let downloads = await world.send("GET", "/v1/downloads?source=pod")
            #expect(downloads.json["data"]?.arrayValue?.count == 2)
            // With another version of the document nothing is stored.
            let old = try await source(world)
            _ = await world.send(
                "PATCH", Self.path, #"{"first":"all"}"#, headers: SourceTests.type)
            _ = try await handler.queue([try Self.choice(3)], of: old, by: Self.look, after: 0)
            #expect(try await self.items(world).count == 2)
        }
    }

    @Test func anItemIsMadeFromTheTemplateAndSecretsStayAtTheirOrigin() async throws {
        try await APIWorld.with { world in
            let members =
                #""keep":{"last":2},"template":{"priority":0.2,"headers":{"X-Key":"secret"},"#
                + #""metadata":{"a":"b"}}"#
            _ = await world.send("PUT", Self.path, Self.document(members))
            let queued = try await queue(
                [
                    try Self.choice(1),
                    try Self.choice(2, "https://cdn.example/2.mp3", after: .seconds(600)),
                    try Self.choice(3, "http://127.0.0.1:1/3.mp3"),
                ], world)
            #expect(queued.refused.map(\.key) == ["g3"] && queued.stored == 2)
            let list = await world.send("GET", "/v1/downloads?source=pod")
            let made = try #require(list.json["data"]?.arrayValue).sorted {
                $0["url"]?.stringValue ?? "" < $1["url"]?.stringValue ?? ""
            }
            #expect(made.map { $0["url"]?.stringValue?.suffix(5) } == ["2.mp3", "1.mp3"])
            #expect(made[0]["priority"] == 0.2 && made[0]["metadata"] == ["a": "b"])
            #expect(made[0]["headers"] == [:] || made[0]["headers"] == .null, "\(made[0])")
            #expect(made[1]["headers"] == ["X-Key": "redacted"])
            #expect(made[0]["earliest_begin_date"] != .null)
            #expect(made[1]["earliest_begin_date"] == .null)
            #expect(made[1]["content_retention"] == .integer(SourceKeep.unbounded))
        }
    }

    @Test func itemsBeyondTheQuotaComeAtTheNextLook() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            _ = try await APIKeys(pool: world.pool).limit(
                app: "default", AppLimitChange(to: AppLimits(queued: 2)))
            let choices = try (1...4).map { try Self.choice($0) }
            let queued = try await queue(choices, world)
            #expect(queued.stored == 2 && queued.left == 2)
            #expect(try await items(world).map { $0["key"] } == ["g2", "g1"])
            _ = try await APIKeys(pool: world.pool).limit(
                app: "default", AppLimitChange(to: AppLimits(queued: 10)))
            let sources = world.dependencies.store.downloads.sources
            let known = try await sources.known(
                ["g1", "g2", "g3"], of: try await source(world).number,
                by: Identifier(high: 9, low: 9))
            #expect(known.before == ["g1", "g2"] && known.written.isEmpty)
            let own = try await sources.known(
                ["g1", "g3"], of: try await source(world).number, by: Self.look)
            #expect(own.before.isEmpty && own.written == ["g1"])
            let rest = try await queue(Array(choices.dropFirst(2)), world)
            #expect(rest.stored == 2 && rest.left == 0)
        }
    }

    /// Begins a look, ends it with a document, and takes it in with what was read of that.
    private func close(
        _ world: APIWorld, digest: Character, _ change: (inout FeedReading) -> Void
    ) async throws -> ClosedLook? {
        let sources = world.dependencies.store.downloads.sources
        _ = await world.send("POST", Self.path + "/look")
        let due = try await sources.due(limit: 10).sources
        let found = try #require(due.first)
        var timetable = found.timetable
        let turn = timetable.turn(at: found.readAt, found.spec.rules, found.schedule)
        _ = try await LookHandler(world.dependencies).begin(found, timetable, turn)
        let looks = await world.send("GET", Self.path + "/looks")
        let id = try #require(looks.json["data"]?[0]?["download"]?.stringValue)
        try await world.succeed(
            id,
            result: [
                "content": [
                    "length": 5, "sha256": .string(String(repeating: digest, count: 64)),
                ],
                "response": [
                    "status_code": 200, "url": "https://pod.example/feed", "etag": "\"a\"",
                ],
            ])
        let look = try #require(Identifier(id, kind: .download))
        _ = try await world.pool.query(
            "INSERT INTO source_ends SELECT $1 ON CONFLICT DO NOTHING", [look])
        #expect(try await sources.ends(after: nil, limit: 10).map(\.isFeed) == [true])
        var reading = FeedReading(for: try await source(world))
        change(&reading)
        return try await sources.close(look, reading)
    }

    @Test func aLookLearnsValidatorsOnlyWhenEverythingWasQueued() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            let first = try await close(world, digest: "a") { _ in }
            #expect(first?.outcome == .unchangedDigest && first?.items == 0)
            #expect(first?.source.known.isRead == true && first?.source.known.etag == "\"a\"")
            let left = try await close(world, digest: "b") { $0.left = 3 }
            #expect(left?.source.known.etag == nil && left?.source.known.sha256 == nil)
            let looks = await world.send("GET", Self.path + "/looks")
            #expect(looks.json["data"]?[0]?["reason"] == "quota", "\(looks.text)")
            #expect(looks.json["data"]?[0]?["count"] == 3)
            let fault = try await close(world, digest: "c") {
                $0.fault = FeedReading.Fault("feed_malformed", "line 1, column 2: x")
            }
            #expect(fault?.outcome == .failed && fault?.detail == "line 1, column 2: x")
            #expect(fault?.source.timetable.failures == 1)
        }
    }

    @Test func beyondTheMostKeysTheOldestGoThatTheFeedNoLongerHas() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", Self.path, Self.document())
            _ = try await world.pool.query(
                """
                INSERT INTO source_items (source_no, key_hash, key, title, url)
                SELECT $1, gen_random_uuid(), 'old' || n, '', 'https://pod.example/'
                FROM generate_series(1, $2) n
                """, [try await source(world).number, Int64(ItemSelection.keysAtMost)])
            // The test has given the rows hashes of no key; those that are to go get theirs.
            let sources = world.dependencies.store.downloads.sources
            for (key, hash) in ["old1", "old2", "old3"].map({ ($0, SourceItem.hash(of: $0)) }) {
                _ = try await world.pool.query(
                    "UPDATE source_items SET key_hash = $2 WHERE key = $1", [key, hash])
            }
            let new = try (1...2).map { SourceItem(try Self.choice($0)) }
            _ = try await close(world, digest: "a") {
                $0.passedOver = new
                $0.keys = ["old1", "g1", "g2"]
            }
            let number = try await source(world).number
            for (key, stays) in [
                ("old1", true), ("old2", false), ("old3", false), ("g1", true), ("g2", true),
            ] {
                let isKnown = try await sources.item(of: number, key: key) != nil
                #expect(isKnown == stays, "\(key)")
            }
            let count: Int = try await world.pool.query("SELECT count(*) FROM source_items")[0]
                .only()
            #expect(count == ItemSelection.keysAtMost)
        }
    }

    @Test func aQuietTimeEndsAtTheNextHourThatIsNot() {
        // Thursday, 1 January 2026, 02:30 UTC.
        let instant = Timestamp(seconds: 1_767_234_600)
        let rows: [(hours: [Int], days: [Int], minutes: Int64)] = [
            ([], [], 0), ([3], [], 0), ([2], [], 30), ([2, 3, 4], [], 150), ([], [3], 21 * 60 + 30),
            ([0], [3], 22 * 60 + 30), (Array(0..<24), [], 0), ([], Array(0..<7), 0),
            ([], [0], 0), (Array(0..<23), [], 20 * 60 + 30),
        ]
        for row in rows {
            var quiet = QuietTimes()
            quiet.hours = row.hours.reduce(0) { $0 | 1 << Int64($1) }
            quiet.days = row.days.reduce(0) { $0 | 1 << Int64($1) }
            #expect(quiet.end(from: instant) == instant + .seconds(row.minutes * 60), "\(row)")
        }
    }
}
