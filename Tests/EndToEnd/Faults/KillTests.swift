// Kills at any moment under load: each accepted download ends complete, with one webhook.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct KillTests {
        /// The number of kills, which LULL_KILLS sets; each start takes about a second.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_KILLS"].flatMap { Int($0) } ?? 4

        @Test(.timeLimit(.minutes(kills > 4 ? 240 : 5)))
        func keepsEveryAcceptedDownloadThroughKills() async throws {
            let settings = [
                "LULL_RETRY_BASE": "100ms", "LULL_RETRY_CAP": "1s", "LULL_MAX_ATTEMPTS": "1000",
                "LULL_MAX_RUNNING_PER_ORIGIN": "32",
                "LULL_WEBHOOK_RETRY_SCHEDULE": "100ms,200ms,500ms,1s,1s",
            ]
            try await World.with(settings: settings) { world in
                for index in 0..<8 {
                    _ = try await world.origin.makeFile(
                        "k\(index)", length: 1_000 << (index * 3 / 2))
                }
                // The file is large enough for the way past the page cache.
                _ = try await world.origin.makeFile("large", length: 12_345_678)
                let accepted = try await submitWhileKilling(world)
                #expect(accepted.count > Self.kills)
                for (id, name) in accepted {
                    let download = try await world.client.download(id, wait: 60)
                    #expect(download.state == "succeeded", "\(id)")
                    let file = "\(world.origin.files)/\(name)"
                    let isWhole = try await world.client.hasContent(id, equalTo: file)
                    #expect(isWhole, "\(id)")
                }
                let ids = Set(accepted.keys)
                let deliveries = try await eventually("every terminal webhook") {
                    let deliveries = try await world.receiver.deliveries()
                    return ids.isSubset(of: deliveries.compactMap(\.subject)) ? deliveries : nil
                }
                let events = Dictionary(grouping: deliveries, by: \.subject)
                for id in ids {
                    #expect(Set(events[id, default: []].map(\.webhookId)).count == 1, "\(id)")
                }
            }
        }

        /// Creates downloads one after the other while another task kills the program.
        private func submitWhileKilling(_ world: World) async throws -> [String: String] {
            let killing = Task {
                var random = SystemRandomNumberGenerator()
                for _ in 0..<Self.kills {
                    let pause = Int.random(in: 100...900, using: &random)
                    try await Task.sleep(for: .milliseconds(pause))
                    await world.lull.killHard()
                    try await world.lull.start()
                }
                return true
            }
            let isOver = Over()
            let watching = Task {
                _ = await killing.result
                await isOver.set()
            }
            var accepted: [String: String] = [:]
            var index = 0
            while await !isOver.value {
                let name = index % 32 == 7 ? "large" : "k\(index % 8)"
                index += 1
                let order = LullClient.Order(
                    url: "\(world.origin.base)/\(name)", webhookUrl: "\(world.receiverURL)/204")
                do {
                    accepted[try await world.client.create(order).id] = name
                } catch {
                    // A create without an answer was not accepted.
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            await watching.value
            _ = try await killing.value
            return accepted
        }

        private actor Over {
            var value = false

            func set() { value = true }
        }
    }
}
