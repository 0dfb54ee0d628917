// A volume that is full at every step: downloads wait with a blocker, then continue.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SmallVolumeTests {
        private static let settings = [
            "LULL_RETRY_BASE": "200ms", "LULL_RETRY_CAP": "500ms", "LULL_MAX_ATTEMPTS": "1",
            "LULL_MAX_RUNNING_PER_ORIGIN": "32", "LULL_MIN_FREE_BYTES": "1MiB",
        ]

        @Test(.mountsVolumes, .timeLimit(.minutes(8)))
        func downloadsWaitForDiskRoom() async throws {
            try await onASmallVolume(originBytesPerSecond: 4_000_000) { world, volume in
                try await neverFits(world)
                // The free room grows from nearly none to nearly enough, with and without the
                // client's announcement of a size.
                for step in 0..<6 {
                    try await volume.fill(leaving: (1 << 20) + step * 300_000)
                    let told = try await create("two", expecting: 2 << 20, world)
                    let untold = try await create("two", expecting: nil, world)
                    try await waitsForTheDisk(told, world)
                    try await waitsForTheDisk(untold, world)
                    try await volume.clear()
                    try await succeeds(told, "two", world)
                    try await succeeds(untold, "two", world)
                }
                try await fillWhileItRuns(volume, world)
            }
        }

        /// 400 large downloads, each in a lane of its own, wait for room beside one of the same
        /// origin that runs.
        @Test(.mountsVolumes, .timeLimit(.minutes(8)))
        func aSmallDownloadBeginsBehindLargeOnesThatHaveNoRoom() async throws {
            try await onASmallVolume(
                ["LULL_MAX_RUNNING": "3"], originBytesPerSecond: 50_000
            ) { world, _ in
                _ = try await world.origin.makeFile("small", length: 10_000)
                let running = try await create("ten", expecting: 10 << 20, world)
                try await eventually("the first bytes", every: .milliseconds(20)) {
                    try await world.client.download(running).countOfBytesReceived > 0 ? () : nil
                }
                var large: [String] = []
                for session in 0..<25 {
                    let made = try await Curl.send(
                        "PUT", "\(world.lull.base)/v1/sessions/s\(session)", json: "{}")
                    try #require(made.status == 201, "\(made.body)")
                    for lane in 0..<16 {
                        large.append(
                            """
                            {"session": "s\(session)", "priority": \(Double(lane / 4) / 4 + 0.1),
                             "allows_expensive_network_access": \(lane & 1 == 0),
                             "allows_constrained_network_access": \(lane & 2 == 0)}
                            """)
                    }
                }
                let waiting = try await Curl.send(
                    "POST", "\(world.lull.base)/v1/downloads/batch",
                    json: """
                        {"defaults": {"url": "\(world.origin.base)/ten",
                                      "count_of_bytes_client_expects_to_receive": 15728640},
                         "downloads": [\(large.joined(separator: ","))]}
                        """)
                try #require(waiting.status == 201, "\(waiting.body)")
                let small = try await world.client.create(
                    LullClient.Order(url: "\(world.origin.base)/small", isDiscretionary: true))
                let end = try await world.client.download(small.id, wait: 60)
                #expect(end.state == "succeeded")
                #expect(try await world.client.download(running).state == "running")
            }
        }

        @Test(.mountsVolumes, .timeLimit(.minutes(8)))
        func bytesOfAFailedDownloadMakeRoomForOneThatWaits() async throws {
            try await onASmallVolume(originBytesPerSecond: 400_000) { world, volume in
                let failed = try await world.client.create(
                    LullClient.Order(
                        url: "\(world.origin.base)/ten", timeoutIntervalForResource: 3))
                #expect(try await world.client.download(failed.id, wait: 60).state == "failed")
                #expect(try await volume.parts().count == 1)
                try await volume.fill(leaving: (1 << 20) + (2 << 20) - 200_000)
                // The last reading of the volume is old then, and a claim reads it again.
                try await Task.sleep(for: .seconds(2))
                // No bytes are given up for downloads that would not have room without them.
                for length in [10 << 20, 1 << 30] {
                    let large = try await create("ten", expecting: length, world)
                    try await waitsForTheDisk(large, world)
                }
                try await Task.sleep(for: .seconds(3))
                #expect(try await volume.parts().count == 1)
                let waiting = try await create("two", expecting: 2 << 20, world)
                try await succeeds(waiting, "two", world)
                #expect(try await volume.parts() == [])
                let log = try await world.lull.log()
                #expect(log.components(separatedBy: "kept bytes of failed downloads").count == 2)
            }
        }

        /// A world with its content on a small volume, and an origin with files of 2 and 10 MiB.
        private func onASmallVolume(
            _ settings: [String: String] = [:], originBytesPerSecond: Int,
            _ test: (World, SmallVolume) async throws -> Void
        ) async throws {
            try await World.with(
                settings: Self.settings.merging(settings) { $1 },
                originBytesPerSecond: originBytesPerSecond, wrapper: SmallVolume.wrapper
            ) { world in
                _ = try await world.origin.makeFile("two", length: 2 << 20)
                _ = try await world.origin.makeFile("ten", length: 10 << 20)
                try await test(world, try await SmallVolume(world))
            }
        }

        private func create(
            _ name: String, expecting bytes: Int?, _ world: World
        ) async throws -> String {
            try await world.client.create(
                LullClient.Order(
                    url: "\(world.origin.base)/\(name)", countOfBytesClientExpectsToReceive: bytes)
            ).id
        }

        private func neverFits(_ world: World) async throws {
            let id = try await create("two", expecting: 1 << 30, world)
            try await waitsForTheDisk(id, world, saying: "more than the volume can hold")
            _ = try await world.client.act("cancel", on: id)
        }

        /// Room that was reserved is kept, even if other files fill the volume.
        private func fillWhileItRuns(_ volume: SmallVolume, _ world: World) async throws {
            let id = try await create("ten", expecting: nil, world)
            try await eventually("the first bytes", every: .milliseconds(20)) {
                try await world.client.download(id).countOfBytesReceived > 0 ? () : nil
            }
            try await volume.fill(leaving: 0)
            let second = try await create("two", expecting: nil, world)
            try await waitsForTheDisk(second, world)
            try await succeeds(id, "ten", world)
            try await volume.clear()
            try await succeeds(second, "two", world)
        }

        private func waitsForTheDisk(
            _ id: String, _ world: World, saying words: String = ""
        ) async throws {
            try await eventually("disk_reserve") {
                let download = try await world.client.download(id)
                guard download.state == "waiting" || download.state == "running" else {
                    throw HarnessError("\(id) is \(download.state)")
                }
                let blockers = download.blockers ?? []
                let isThere = blockers.contains {
                    $0.code == "disk_reserve" && (words.isEmpty || $0.detail.contains(words))
                }
                return isThere ? () : nil
            }
        }

        private func succeeds(_ id: String, _ name: String, _ world: World) async throws {
            let download = try await world.client.download(id, wait: 60)
            #expect(download.state == "succeeded")
            let file = "\(world.origin.files)/\(name)"
            #expect(try await world.client.hasContent(id, equalTo: file))
            #expect(try await world.client.release(id) == 204)
        }
    }
}
