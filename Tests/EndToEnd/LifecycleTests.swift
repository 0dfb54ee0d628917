// The program as an operator sees it: it starts, answers its probes, ends when asked, and comes
// back with everything that it had accepted.
import Foundation
import Testing

extension EndToEndTests {
    struct LifecycleTests {
        @Test(.timeLimit(.minutes(3)))
        func endsWithZeroWhenAsked() async throws {
            try await World.with { world in
                for probe in ["livez", "readyz"] {
                    let answer = try await Curl.get("\(world.lull.base)/\(probe)")
                    #expect(answer.status == 200, "\(probe)")
                }
                #expect(await world.lull.stop() == 0)
                let after = try await Curl.get("\(world.lull.base)/livez")
                #expect(after.status == 0)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func keepsWhatItAcceptedThroughAKill() async throws {
            try await World.with { world in
                _ = try await world.origin.makeFile("kept.bin", length: 100_000)
                let order = LullClient.Order(
                    url: "\(world.origin.base)/kept.bin",
                    earliestBeginDate: Date.now.addingTimeInterval(3_600).instant)
                let waiting = try await world.client.create(order)
                let done = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/kept.bin"))
                let ended = try await world.client.download(done.id, wait: 30)
                #expect(ended.state == "succeeded")

                await world.lull.killHard()
                try await world.lull.start()

                let still = try await world.client.download(waiting.id)
                #expect(still.state == "waiting")
                let file = "\(world.origin.files)/kept.bin"
                let isWhole = try await world.client.hasContent(done.id, equalTo: file)
                #expect(isWhole)
            }
        }
    }
}
