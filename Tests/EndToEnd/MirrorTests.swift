// One file at two servers: the first is killed during the transfer, the second sends the rest.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct MirrorTests {
        private static let length = 12_000_000

        private struct Seen: Decodable {
            let state: String
            let mirrorUrl: String
            let currentUrl: String?
        }

        private struct Attempts: Decodable {
            struct Attempt: Decodable {
                let url: String?
                let resumedFrom: Int?
                let bytesDiscarded: Int?
            }
            let data: [Attempt]
        }

        @Test(.timeLimit(.minutes(3)))
        func theSecondMirrorDeliversTheRest() async throws {
            try await World.with(originBytesPerSecond: 2_000_000) { world in
                try await withSecond { second in
                    try await fetch(from: second, world)
                }
            }
        }

        private func withSecond(_ body: (NginxOrigin) async throws -> Void) async throws {
            let scratch = try Scratch()
            let second = try await NginxOrigin(in: scratch)
            let outcome: Result<Void, any Error>
            do {
                try await second.start()
                outcome = .success(try await body(second))
            } catch {
                outcome = .failure(error)
            }
            await second.cut()
            try scratch.remove()
            try outcome.get()
        }

        private func fetch(from second: NginxOrigin, _ world: World) async throws {
            let digest = try await world.origin.makeFile("slow.bin", length: Self.length)
            let file = "\(world.origin.files)/slow.bin"
            let copied = try await ChildProcess.run("cp", [file, "\(second.files)/same.bin"])
            #expect(copied.status == 0)
            let urls = ["\(world.origin.base)/slow.bin", "\(second.base)/same.bin"]
            let made = try await Curl.send(
                "POST", "\(world.lull.base)/v1/downloads",
                json: """
                    {"url": "\(urls[0])", "urls": ["\(urls[1])"],
                     "expected_digest": "sha256:\(digest)"}
                    """)
            #expect(made.status == 201, "\(made.body)")
            struct Made: Decodable { let id: String }
            let id = try JSONDecoder().decode(Made.self, from: Data(made.body.utf8)).id
            let _: Bool = try await eventually("bytes of the download") {
                try await world.client.download(id).countOfBytesReceived > 1_000_000 ? true : nil
            }
            await world.origin.cut()
            let seen: Seen = try await eventually("the end of the download") {
                let seen: Seen = try await get("\(id)?wait=30", world)
                return ["succeeded", "failed"].contains(seen.state) ? seen : nil
            }
            #expect(seen.state == "succeeded")
            #expect(seen.mirrorUrl == urls[1] && seen.currentUrl == urls[1])
            #expect(try await world.client.hasContent(id, equalTo: file))
            let attempts: Attempts = try await get("\(id)/attempts", world)
            #expect(attempts.data.map(\.url) == urls)
            #expect(attempts.data.last?.resumedFrom ?? 0 > 1_000_000)
            #expect(attempts.data.last?.bytesDiscarded == 0)
            let metrics = try await Curl.get("\(world.lull.base)/metrics").body
            let line = "lull_mirror_switches_total{reason=\"network_connection_lost\"} 1"
            #expect(metrics.contains(line), "\(metrics)")
        }

        private func get<Value: Decodable>(_ path: String, _ world: World) async throws -> Value {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let answer = try await Curl.get("\(world.lull.base)/v1/downloads/\(path)")
            return try decoder.decode(Value.self, from: Data(answer.body.utf8))
        }
    }
}
