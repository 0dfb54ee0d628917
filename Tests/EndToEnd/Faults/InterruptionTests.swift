// Suspend, resume and cancel during a transfer, and progress events.
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct InterruptionTests {
        private static let length = 12_000_000

        @Test(.timeLimit(.minutes(3)))
        func suspendAndResumeKeepTheBytes() async throws {
            try await World.with(originBytesPerSecond: 2_000_000) { world in
                let digest = try await world.origin.makeFile("slow.bin", length: Self.length)
                let id = try await world.client.create(
                    LullClient.Order(
                        url: "\(world.origin.base)/slow.bin", expectedDigest: "sha256:\(digest)")
                ).id
                try await waitForBytes(of: id, in: world)
                _ = try await world.client.act("suspend", on: id)
                let kept: Int = try await eventually("the download to be suspended") {
                    let download = try await world.client.download(id)
                    return download.state == "suspended" ? download.countOfBytesReceived : nil
                }
                #expect(kept > 0 && kept < Self.length)
                _ = try await world.client.act("resume", on: id)
                let ended = try await ended(id, in: world)
                #expect(ended.state == "succeeded")
                let resumed = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)")
                #expect(resumed.body.contains(#""outcome":"continued""#), "\(resumed.body)")
                let isWhole = try await world.client.hasContent(
                    id, equalTo: "\(world.origin.files)/slow.bin")
                #expect(isWhole)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func cancelAndDeleteARunningDownload() async throws {
            try await World.with(originBytesPerSecond: 2_000_000) { world in
                _ = try await world.origin.makeFile("slow.bin", length: Self.length)
                let id = try await world.client.create(
                    LullClient.Order(
                        url: "\(world.origin.base)/slow.bin",
                        webhookUrl: "\(world.receiverURL)/204")
                ).id
                try await waitForBytes(of: id, in: world)
                let live = try await Curl.send(
                    "DELETE", "\(world.lull.base)/v1/downloads/\(id)", json: "")
                #expect(live.status == 409)
                let told = try await world.client.act("cancel", on: id)
                #expect(["canceling", "canceled"].contains(told.state))
                let ended = try await ended(id, in: world)
                #expect(ended.state == "canceled")
                try await waitForDelivery("download.canceled", of: id, in: world)
                let gone = try await Curl.send(
                    "DELETE", "\(world.lull.base)/v1/downloads/\(id)", json: "")
                #expect(gone.status == 204)
                let after = try await Curl.get("\(world.lull.base)/v1/downloads/\(id)")
                #expect(after.status == 404)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func streamsSendProgress() async throws {
            try await World.with(
                settings: ["LULL_WEBHOOK_PROGRESS_INTERVAL": "1s"],
                originBytesPerSecond: 2_000_000
            ) { world in
                _ = try await world.origin.makeFile("slow.bin", length: Self.length)
                let id = try await world.client.create(
                    LullClient.Order(
                        url: "\(world.origin.base)/slow.bin",
                        webhookUrl: "\(world.receiverURL)/204",
                        webhookEvents: ["download.progress", "download.succeeded"])
                ).id
                try await waitForDelivery("download.succeeded", of: id, in: world)
                let deliveries = try await world.receiver.deliveries()
                let mine = deliveries.filter { $0.subject == id }
                #expect(!mine.contains { !$0.verified })
                let types = Set(mine.compactMap(\.type))
                #expect(types == ["download.progress", "download.succeeded"])
                // Six seconds of transfer lead to one progress event a second at most.
                #expect((1...7).contains(mine.filter { $0.type == "download.progress" }.count))
            }
        }

        private func waitForBytes(of id: String, in world: World) async throws {
            let _: Bool = try await eventually("bytes of the download") {
                let download = try await world.client.download(id)
                return download.state == "running" && download.countOfBytesReceived > 1_000_000
                    ? true : nil
            }
        }

        private func ended(_ id: String, in world: World) async throws -> LullClient.Download {
            try await eventually("the end of the download") {
                let download = try await world.client.download(id, wait: 30)
                return ["succeeded", "failed", "canceled"].contains(download.state)
                    ? download : nil
            }
        }

        private func waitForDelivery(
            _ type: String, of id: String, in world: World
        ) async throws {
            let _: Bool = try await eventually("a delivery of \(type)") {
                let deliveries = try await world.receiver.deliveries()
                return deliveries.contains { $0.subject == id && $0.type == type } ? true : nil
            }
        }
    }
}
