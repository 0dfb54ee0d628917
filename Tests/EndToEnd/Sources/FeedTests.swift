// Feeds of the real program: items are fetched once for ever, through kills and over replicas.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FeedTests {
        /// An origin with a feed of numbered items, each with a file of its own.
        private final class Podcast: Sendable {
            private struct State {
                var numbers: [Int] = []
                var raw: String?
                var requests: [String: Int] = [:]
            }

            private let state = Mutex(State())

            init(_ numbers: ClosedRange<Int>) { state.withLock { $0.numbers = Array(numbers) } }

            func add(_ number: Int) { state.withLock { $0.numbers.append(number) } }

            /// Sends other bytes in place of the feed; nil for the feed.
            func send(_ raw: String?) { state.withLock { $0.raw = raw } }

            /// How often a path was asked for.
            func count(_ path: String) -> Int { state.withLock { $0.requests[path] ?? 0 } }

            func answer(_ request: OriginRequest) -> [OriginStep] {
                let (numbers, raw) = state.withLock { state in
                    state.requests[request.target, default: 0] += 1
                    return (state.numbers, state.raw)
                }
                guard request.target.hasPrefix("/feed") else {
                    return OriginStep.answer(body: "file of \(request.target)")
                }
                return OriginStep.answer(
                    headers: ["Content-Type: application/rss+xml"],
                    body: raw ?? FeedTests.feed(numbers))
            }
        }

        private struct Page<Item: Decodable>: Decodable {
            let data: [Item]
            let next_cursor: String?
        }

        private struct Item: Decodable {
            let key: String
            let url: String
            let download: String?
            let seen_at: String
        }

        private struct Look: Decodable {
            let outcome: String?
            let reason: String?
            let detail: String?
            let items: Int?
            let begun_at: String?
        }

        private struct Listed: Decodable {
            let id: String
            let url: String
            let state: String
        }

        /// RSS with the newest item first, and addresses that are relative to the feed's.
        fileprivate static func feed(_ numbers: [Int]) -> String {
            let items = numbers.sorted(by: >).map { number in
                """
                <item><title>Show \(number)</title><guid>g\(number)</guid>
                <pubDate>Thu, 01 Jan 2026 \(number % 24):\(number / 24):00 GMT</pubDate>
                <enclosure url="\(number).mp3" type="audio/mpeg" length="5"/></item>
                """
            }
            return #"<?xml version="1.0"?><rss version="2.0"><channel><title>Pod</title>"#
                + items.joined() + "</channel></rss>"
        }

        private static let settings = ["LULL_SOURCE_MIN_INTERVAL": "1s"]

        private func put(
            _ name: String, _ url: String, _ base: String, _ members: String
        ) async throws {
            let answer = try await Curl.send(
                "PUT", "\(base)/v1/sources/\(name)",
                json: #"{"url":"\#(url)","kind":"feed",\#(members)}"#)
            guard answer.status == 201 else { throw HarnessError("PUT: \(answer.body)") }
        }

        private func page<Value: Decodable>(
            _ type: Value.Type, _ url: String
        ) async throws -> [Value] {
            let answer = try await Curl.get(url)
            guard answer.status == 200 else { throw HarnessError("\(url): \(answer.body)") }
            return try JSONDecoder().decode(Page<Value>.self, from: Data(answer.body.utf8)).data
        }

        /// The known items of a source, once there are so many of them with a download.
        private func items(
            _ name: String, _ base: String, known: Int, fetched: Int
        ) async throws -> [Item] {
            try await eventually("\(fetched) of \(known) items of \(name)") {
                let items = try await page(Item.self, "\(base)/v1/sources/\(name)/items?limit=200")
                let fetching = items.count { $0.download != nil }
                return items.count >= known && fetching >= fetched ? items : nil
            }
        }

        /// The downloads of the items of a source, once all have succeeded.
        private func files(_ name: String, _ base: String, _ count: Int) async throws -> [Listed] {
            try await eventually("\(count) files of \(name)") {
                let url = "\(base)/v1/downloads?source=\(name)&limit=200&state=succeeded"
                let files = try await page(Listed.self, url).filter { $0.url.hasSuffix(".mp3") }
                return files.count >= count ? files : nil
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func theFirstLookFetchesWhatItIsToldAndLaterOnesWhatIsNew() async throws {
            let podcast = Podcast(1...3)
            let origin = try OriginServer { podcast.answer($0) }
            defer { origin.close() }
            try await World.with(settings: Self.settings) { world in
                let (base, host) = (world.lull.base, "http://127.0.0.1:\(origin.port)")
                let expected = [("latest", 1), ("all", 3), ("none", 0)]
                for (first, _) in expected {
                    try await put(
                        first, "\(host)/feed/\(first)/", base,
                        #""schedule":{"every":"1s"},"first":"\#(first)""#)
                }
                for (first, count) in expected {
                    let items = try await items(first, base, known: 3, fetched: count)
                    #expect(items.map(\.key) == ["g3", "g2", "g1"] || first != "all")
                    #expect(items.count == 3 && items.count { $0.download != nil } == count)
                    #expect(items.allSatisfy { $0.url.hasPrefix("\(host)/feed/\(first)/") })
                }
                podcast.add(4)
                for (first, count) in expected {
                    let items = try await items(first, base, known: 4, fetched: count + 1)
                    #expect(items.first?.key == "g4" && items.first?.download != nil)
                    #expect(items.count == 4 && items.count { $0.download != nil } == count + 1)
                }
                try await nothingIsFetchedTwice(world, podcast)
                try await aKnownItemIsFetchedAgain(world, podcast)
                try await aMalformedFeedFailsWithItsPlace(world, podcast)
            }
        }

        private func nothingIsFetchedTwice(_ world: World, _ podcast: Podcast) async throws {
            let before = podcast.count("/feed/all/")
            _ = try await eventually("three more looks") {
                podcast.count("/feed/all/") >= before + 3 ? () : nil
            }
            _ = try await files("all", world.lull.base, 4)
            for number in 1...4 {
                let expected = ["latest": number >= 3, "all": true, "none": number == 4]
                for (first, isFetched) in expected {
                    let count = podcast.count("/feed/\(first)/\(number).mp3")
                    #expect(count == (isFetched ? 1 : 0), "\(first) \(number)")
                }
            }
        }

        private func aKnownItemIsFetchedAgain(_ world: World, _ podcast: Podcast) async throws {
            let base = "\(world.lull.base)/v1/sources/none"
            // It was known without a download.
            let again = try await Curl.send("POST", "\(base)/look?refetch=g2", json: "{}")
            #expect(again.status == 202, "\(again.body)")
            let items = try await page(Item.self, "\(base)/items")
            let download = try #require(items.first { $0.key == "g2" }?.download)
            let ended = try await world.client.download(download, wait: 30)
            #expect(ended.state == "succeeded" && items.count == 4)
            let more = try await Curl.send("POST", "\(base)/look?refetch=g2", json: "{}")
            #expect(more.status == 202)
            let other = try await page(Item.self, "\(base)/items").first { $0.key == "g2" }
            #expect(other?.download != nil && other?.download != download)
            let unknown = try await Curl.send("POST", "\(base)/look?refetch=g9", json: "{}")
            #expect(unknown.status == 404)
        }

        private func aMalformedFeedFailsWithItsPlace(
            _ world: World, _ podcast: Podcast
        ) async throws {
            podcast.send("<rss><channel>\n<item></channel></rss>")
            podcast.add(5)
            let base = "\(world.lull.base)/v1/sources/all"
            let failed = try await eventually("a failed look") {
                try await page(Look.self, "\(base)/looks").first { $0.outcome == "failed" }
            }
            #expect(failed.reason == "feed_malformed")
            #expect(failed.detail?.hasPrefix("line 2, column ") == true, "\(failed)")
            #expect(try await page(Item.self, "\(base)/items").count == 4)
            podcast.send(nil)
            _ = try await items("all", world.lull.base, known: 5, fetched: 5)
            let log = try await world.lull.log()
            #expect(log.contains("feed could not be read"))
            let metrics = try await Curl.get("\(world.lull.base)/metrics").body
            #expect(metrics.contains(#"lull_source_items_total{outcome="queued"}"#))
        }

        @Test(.timeLimit(.minutes(3)))
        func aKillWhileItemsAreQueuedLosesNoneAndRepeatsNone() async throws {
            let count = 150
            let podcast = Podcast(1...count)
            let origin = try OriginServer { podcast.answer($0) }
            defer { origin.close() }
            try await World.with(settings: Self.settings) { world in
                try await put(
                    "pod", "http://127.0.0.1:\(origin.port)/feed/", world.lull.base,
                    #""schedule":{"every":"1h"},"first":"all""#)
                _ = try await items("pod", world.lull.base, known: 5, fetched: 5)
                await world.lull.killHard()
                try await world.lull.start()
                // The next kill finds the first part of the items queued, and others left.
                _ = try await items("pod", world.lull.base, known: 101, fetched: 101)
                await world.lull.killHard()
                try await world.lull.start()
                let items = try await items("pod", world.lull.base, known: count, fetched: count)
                #expect(Set(items.map(\.key)).count == count && items.count == count)
                let files = try await files("pod", world.lull.base, count)
                #expect(Set(files.map(\.url)).count == count && files.count == count)
                #expect(Set(files.map(\.id)) == Set(items.compactMap(\.download)))
                let looks = try await page(
                    Look.self, "\(world.lull.base)/v1/sources/pod/looks")
                #expect(looks.first?.items == count && looks.first?.outcome == "changed")
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func otherSourcesLookWhileTheItemsOfALongFeedAreQueued() async throws {
            let count = 600
            let podcast = Podcast(1...count)
            let origin = try OriginServer { podcast.answer($0) }
            defer { origin.close() }
            try await World.with(settings: Self.settings) { world in
                let (base, host) = (world.lull.base, "http://127.0.0.1:\(origin.port)")
                // The files themselves wait, so that only the queueing takes time.
                try await put(
                    "long", "\(host)/feed/", base,
                    #""schedule":{"every":"1h"},"first":"all","spacing":"1h""#)
                try await put(
                    "other", "\(host)/feed/other/", base, #""schedule":{"every":"1s"}"#)
                let look = try await eventually("the end of the look") {
                    try await page(Look.self, "\(base)/v1/sources/long/looks")
                        .first { $0.outcome != nil }
                }
                #expect(look.items == count && look.outcome == "changed")
                let items = try await allItems("long", base)
                #expect(Set(items.map(\.key)).count == count && items.count == count)
                #expect(Set(items.compactMap(\.download)).count == count)
                let times = items.map(\.seen_at).sorted()
                let (first, last) = (try #require(times.first), try #require(times.last))
                let begun = try await page(Look.self, "\(base)/v1/sources/other/looks?limit=200")
                    .compactMap(\.begun_at)
                #expect(begun.contains { first < $0 && $0 < last }, "\(first) \(last) \(begun)")
            }
        }

        private func allItems(_ name: String, _ base: String) async throws -> [Item] {
            var (items, next): ([Item], String?) = ([], "")
            while let cursor = next, items.count < 10_000 {
                let answer = try await Curl.get(
                    "\(base)/v1/sources/\(name)/items?limit=200"
                        + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
                let page = try JSONDecoder().decode(Page<Item>.self, from: Data(answer.body.utf8))
                items += page.data
                next = page.next_cursor
            }
            return items
        }

        @Test(.timeLimit(.minutes(4)))
        func twoReplicasFetchEachItemOnce() async throws {
            try await Fleet.with({ _, _ in Fleet.Plan(settings: Self.settings) }) { fleet in
                let (base, folder) = (fleet.replicas[0].base, fleet.origin.files)
                for number in 1...24 {
                    try "file \(number)".write(
                        toFile: "\(folder)/\(number).mp3", atomically: true, encoding: .utf8)
                }
                var count = 0
                for step in 1...3 {
                    count = step * 8
                    try Self.feed(Array(1...count)).write(
                        toFile: "\(folder)/feed.xml", atomically: true, encoding: .utf8)
                    if step == 1 {
                        try await put(
                            "pod", "\(fleet.origin.base)/feed.xml", base,
                            #""schedule":{"every":"1s"},"first":"all""#)
                    }
                    _ = try await items("pod", base, known: count, fetched: count)
                }
                let items = try await items("pod", base, known: count, fetched: count)
                #expect(items.count == count)
                let files = try await files("pod", base, count)
                #expect(Set(files.map(\.url)).count == count && files.count == count)
            }
        }
    }
}
