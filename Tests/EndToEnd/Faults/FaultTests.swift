// Disk errors and kills at each call of the publish path: no success before the bytes are durable,
// and each accepted download ends with one webhook.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FaultTests {
        private static let isFull = ProcessInfo.processInfo.environment["LULL_FAULTS"] == "full"
        private static let injections = isFull ? Injection.full : Injection.short

        private static let settings = [
            "LULL_RETRY_BASE": "100ms", "LULL_RETRY_CAP": "500ms", "LULL_MAX_ATTEMPTS": "1000",
            "LULL_MAX_RUNNING_PER_ORIGIN": "32", "LULL_MIN_FREE_BYTES": "1MiB",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "100ms,200ms,500ms,1s,1s",
        ]

        @Test(
            .enabled("strace may not trace here") { await Injection.isPossible() },
            .timeLimit(.minutes(isFull ? 60 : 8)))
        func succeededMeansDurableBytes() async throws {
            try await World.with(settings: Self.settings) { world in
                for (index, length) in [1_000, 40_000, 400_000, 3_000_000, 9_000_000].enumerated() {
                    _ = try await world.origin.makeFile("f\(index)", length: length)
                }
                var (all, last): ([String], [String]) = ([], [])
                var hits = 0
                for injection in Self.injections {
                    let (ids, isHit) = try await suffer(injection, releasing: last, world)
                    try await expectWhole(ids, world, injection)
                    if isHit { hits += 1 }
                    all += ids
                    last = ids
                }
                let text =
                    "faults: \(Self.injections.count) injections, \(hits) hit, \(all.count) files\n"
                FileHandle.standardError.write(Data(text.utf8))
                // Not every thread makes the later calls of the full list.
                #expect(hits * 3 > Self.injections.count, "injections must hit")
                try await expectOneEnd(all, world)
                // Released content is removed, whichever call failed.
                // A create without an answer may have been stored all the same.
                let unanswered = Self.injections.count * 5 - all.count
                try await eventually("no files but those of downloads that were not released") {
                    () -> Void? in
                    let files = try files(world)
                    guard !files.contains(where: { $0.hasSuffix(".part") }) else { return nil }
                    let extra = files.count - last.count
                    return (0...unanswered).contains(extra) ? () : nil
                }
            }
        }

        /// Downloads five files, the last past the page cache, and releases five others, while one
        /// call goes wrong.
        private func suffer(
            _ injection: Injection, releasing old: [String], _ world: World
        ) async throws -> (ids: [String], isHit: Bool) {
            let process = try #require(await world.lull.identifier)
            let tracer = try await Tracer(injection, to: process, in: world.scratch)
            var ids: [String] = []
            for index in 0..<5 {
                let order = LullClient.Order(
                    url: "\(world.origin.base)/f\(index)", webhookUrl: "\(world.receiverURL)/204")
                // A create without an answer was not accepted.
                do { ids.append(try await world.client.create(order).id) } catch { break }
            }
            for id in old where try await world.client.release(id) != 204 { break }
            for _ in 0..<100 where await world.lull.identifier != nil {
                if await world.client.haveSucceeded(ids) { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            let isHit = try await tracer.detach()
            if await world.lull.identifier == nil {
                await world.lull.killHard()
                try await world.lull.start()
            }
            for id in old {
                #expect(try await world.client.release(id) == 204, "\(injection)")
            }
            return (ids, isHit)
        }

        private func expectWhole(
            _ ids: [String], _ world: World, _ injection: Injection
        ) async throws {
            for (index, id) in ids.enumerated() {
                let download = try await world.client.download(id, wait: 60)
                #expect(download.state == "succeeded", "\(injection)")
                let isWhole = try await world.client.hasContent(
                    id, equalTo: "\(world.origin.files)/f\(index)")
                #expect(isWhole, "\(injection)")
            }
        }

        private func expectOneEnd(_ ids: [String], _ world: World) async throws {
            let wanted = Set(ids)
            let deliveries = try await eventually("every terminal webhook") {
                let deliveries = try await world.receiver.deliveries()
                return wanted.isSubset(of: deliveries.compactMap(\.subject)) ? deliveries : nil
            }
            let events = Dictionary(grouping: deliveries, by: \.subject)
            for id in ids {
                #expect(Set(events[id, default: []].map(\.webhookId)).count == 1, "\(id)")
            }
        }

        private func files(_ world: World) throws -> [String] {
            try ContentFolder(world.scratch.file("data")).names()
        }
    }
}
