// The test of the whole: files of all sizes come through cuts of the origin and kills of Lull, none
// of them early or changed, and each has one webhook whose signature verifies.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SoakTests {
        /// One download of the soak, and its earliest begin.
        struct Expected {
            let id: String
            let file: SoakPlan.File
            let notBefore: String
        }

        private static let isFull = ProcessInfo.processInfo.environment["LULL_SOAK"] == "full"

        /// Retries are fast: the soak is about the bytes that survive, not about the length of the
        /// pauses.
        private static let settings = [
            "LULL_MAX_RUNNING": "8", "LULL_MAX_RUNNING_PER_ORIGIN": "8", "LULL_MAX_ATTEMPTS": "100",
            "LULL_RETRY_BASE": "200ms", "LULL_RETRY_CAP": "2s",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "200ms,500ms,1s,2s,5s,5s,5s,5s,5s",
        ]

        @Test(.timeLimit(.minutes(isFull ? 30 : 8)))
        func everyFileIsWholeAndNoneEarly() async throws {
            let plan = Self.isFull ? SoakPlan.full : SoakPlan.short
            try await World.with(
                settings: Self.settings, originBytesPerSecond: plan.originBytesPerSecond
            ) { world in
                let expected = try await submit(plan, to: world)
                var figures = SoakFigures(plan)
                for _ in 0..<plan.rounds { try await disturb(world, &figures) }
                try await waitForTheEnd(in: world)
                try await checkDownloads(expected, in: world, &figures)
                try await checkWebhooks(expected, in: world, &figures)
                // Without a disturbance the soak proves nothing.
                #expect(!figures.runningAtCuts.contains(0) && !figures.runningAtKills.contains(0))
                figures.tell()
                #expect(await world.lull.stop() == 0)
            }
        }

        private func submit(_ plan: SoakPlan, to world: World) async throws -> [Expected] {
            var digests: [String] = []
            for file in plan.files {
                digests.append(try await world.origin.makeFile(file.name, length: file.length))
            }
            let opening = Date.now.fullMinute(after: 10)
            let closing = opening.addingTimeInterval(12 * 3_600)
            try await world.client.putPolicy(
                """
                {"time_zone": "UTC",
                 "windows": {"soon": ["Mon-Sun \(opening.timeOfDay)-\(closing.timeOfDay)"]},
                 "rules": [{"name": "in-the-window", "match": {"is_discretionary": true},
                            "require": ["window soon"], "soft": false}]}
                """)
            var expected: [Expected] = []
            for (file, digest) in zip(plan.files, digests) {
                let date = file.delay.map { Date.now.addingTimeInterval(TimeInterval($0)).instant }
                let created = try await world.client.create(
                    LullClient.Order(
                        url: "\(world.origin.base)/\(file.name)",
                        earliestBeginDate: date,
                        isDiscretionary: file.isDiscretionary ? true : nil,
                        expectedDigest: file.hasDigest ? "sha256:\(digest)" : nil,
                        webhookUrl: "\(world.receiverURL)/204"))
                let window = file.isDiscretionary ? opening.instant : ""
                expected.append(
                    Expected(id: created.id, file: file, notBefore: max(date ?? "", window)))
            }
            return expected
        }

        /// Cuts the origin in the middle of transfers, and then kills Lull in the middle of others.
        private func disturb(_ world: World, _ figures: inout SoakFigures) async throws {
            try await waitForTransfers(in: world)
            let running = try await world.client.downloads(in: ["running"]).map(\.id)
            figures.runningAtCuts.append(running.count)
            await world.origin.cut()
            // A retry may set a download running again at once: each must be seen in another state
            // one time.
            var unaware = Set(running)
            try await eventually("the transfers to notice the cut") {
                unaware.formIntersection(
                    try await world.client.downloads(in: ["running"]).map(\.id))
                return unaware.isEmpty ? () : nil
            }
            try await world.origin.start()
            try await waitForTransfers(in: world)
            figures.runningAtKills.append(
                try await world.client.downloads(in: ["running"]).count)
            await world.lull.killHard()
            try await world.lull.start()
        }

        /// Waits until bytes are being received, or all downloads have ended.
        private func waitForTransfers(in world: World) async throws {
            try await eventually("running transfers", attempts: 1_200) {
                let live = try await world.client.downloads(in: Self.liveStates)
                return live.isEmpty || live.filter { $0.state == "running" }.count >= 2 ? () : nil
            }
        }

        private static let liveStates = [
            "waiting", "running", "suspended", "canceling", "attention_required",
        ]

        private func waitForTheEnd(in world: World) async throws {
            try await eventually("the end of all", attempts: 3_000, every: .milliseconds(250)) {
                try await world.client.downloads(in: Self.liveStates).isEmpty ? () : nil
            }
        }

        private func checkDownloads(
            _ expected: [Expected], in world: World, _ figures: inout SoakFigures
        ) async throws {
            for one in expected {
                let download = try await world.client.download(one.id)
                figures.count(download)
                #expect(download.state == "succeeded", "\(one.file)")
                let file = "\(world.origin.files)/\(one.file.name)"
                let isWhole = try await world.client.hasContent(one.id, equalTo: file)
                #expect(isWhole, "\(one.file)")
                let startedAt = try #require(download.startedAt)
                #expect(startedAt >= one.notBefore, "\(one.file)")
            }
        }

        private func checkWebhooks(
            _ expected: [Expected], in world: World, _ figures: inout SoakFigures
        ) async throws {
            let ids = Set(expected.map(\.id))
            let deliveries = try await eventually("every terminal webhook") {
                let deliveries = try await world.receiver.deliveries()
                return ids.isSubset(of: deliveries.compactMap(\.subject)) ? deliveries : nil
            }
            figures.deliveries = deliveries.count
            for delivery in deliveries {
                #expect(delivery.verified, "\(delivery.reason ?? "")")
                #expect(delivery.type == "download.succeeded")
            }
            // Each webhook arrives at least once, and always under one id: there is one terminal
            // event per download.
            let events = Dictionary(grouping: deliveries, by: \.subject)
            for id in ids {
                #expect(Set(events[id, default: []].map(\.webhookId)).count == 1)
            }
        }
    }
}
