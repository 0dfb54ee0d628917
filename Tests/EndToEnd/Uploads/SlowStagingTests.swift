// Many clients that bring bytes very slowly, beside healthy ones.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SlowStagingTests {
        /// The number of slow clients: 50, or `LULL_SLOW_STAGINGS`.
        private static let count =
            ProcessInfo.processInfo.environment["LULL_SLOW_STAGINGS"].flatMap { Int($0) } ?? 50

        /// The sums that the slow clients print at their end.
        private struct Totals: Decodable {
            let ended: Int
            let refused: Int
            let sent: Int
            let offsets: Int
        }

        @Test(.timeLimit(.minutes(15)))
        func healthyClientsAreServedBesideManySlowOnes() async throws {
            try await World.with { world in
                try await Taker.with(in: world.scratch) { taker in
                    let folder = try world.scratch.folder("slow")
                    let slow = try ChildProcess(
                        try Repository.python(),
                        [
                            Repository.path("Tests/Receiver/slow_stagings.py"), world.lull.base,
                            "\(taker.bases[0])/whole", "\(Self.count)", folder,
                        ],
                        environment: Environment.plain, log: world.scratch.file("slow.log"))
                    do {
                        try await check(world, taker, slow)
                    } catch {
                        Issue.record(error, "\(try world.scratch.read("slow.log"))")
                    }
                    _ = await slow.stop()
                }
            }
        }

        private func check(
            _ world: World, _ taker: Taker, _ slow: ChildProcess
        ) async throws {
            try await eventually("the first bytes of all slow clients", attempts: 3000) {
                guard slow.isRunning else { throw HarnessError("the slow clients ended") }
                return FileManager.default.fileExists(atPath: world.scratch.file("slow/ready"))
                    ? () : nil
            }
            let client = UploadClient(base: world.lull.base)
            let length = 1_000_000
            let digest = try await world.origin.makeFile("healthy", length: length)
            for number in 0..<20 {
                let name = "healthy-\(number)"
                let made = try await client.create(length, to: "\(taker.bases[0])/whole/\(name)")
                let answer = try await client.put(
                    world.origin.files + "/healthy", to: made.content.href)
                #expect(answer.status == "204", "\(answer.body)")
                let end = try await client.find(made.id, wait: 60)
                #expect(end.state == "succeeded", "\(end)")
                #expect(try await taker.digest(of: name) == digest)
            }
            for _ in 0..<50 {
                #expect(try await Curl.get("\(world.lull.base)/v1/uploads?limit=5").status == 200)
            }
            let metrics = try await Curl.get("\(world.lull.base)/metrics").body
            let bodies = metrics.split(separator: "\n").first { $0.hasPrefix("lull_http_bodies ") }
            let open = bodies.flatMap { Double($0.split(separator: " ")[1]) } ?? 0
            // Some are between two requests, because one that is this slow is ended in time.
            #expect(open >= Double(Self.count) / 2, "\(open)")
            try world.scratch.write("", to: "slow/stop")
            try await eventually("the end of the slow clients", attempts: 3000) {
                slow.isRunning ? nil : ()
            }
            let output = try world.scratch.read("slow.log")
            let totals = try JSONDecoder().decode(Totals.self, from: Data(output.utf8))
            #expect(totals.refused == 0, "\(output)")
            // All bytes that arrived are kept; some were still under way at an end.
            #expect((Self.count...totals.sent).contains(totals.offsets), "\(output)")
            let list = "\(world.lull.base)/v1/uploads?state=receiving&limit=1"
            #expect(try await Curl.get(list).body.contains("receiving"))
            let told = "slow stagings: \(Self.count), \(totals)\n"
            FileHandle.standardError.write(Data(told.utf8))
        }
    }
}
