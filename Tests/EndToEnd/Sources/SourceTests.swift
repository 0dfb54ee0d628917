// Sources of the real program: versions of a file that changes, overlaps, looks after a kill.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct SourceTests {
        private struct Looks: Decodable {
            struct Look: Decodable {
                let outcome: String?
                let reason: String?
                let count: Int
                let download: String?
            }

            let data: [Look]
        }

        private struct Versions: Decodable {
            struct Version: Decodable {
                let version: Int
                let download: String
                let sha256: String
            }

            let data: [Version]
        }

        private static let settings = ["LULL_SOURCE_MIN_INTERVAL": "1s", "LULL_RETRY_BASE": "20ms"]

        private func read<Value: Decodable>(
            _ type: Value.Type, _ world: World, _ path: String
        ) async throws -> Value {
            let answer = try await Curl.get(world.lull.base + path)
            guard answer.status == 200 else {
                throw HarnessError("\(path): \(answer.status) \(answer.body)")
            }
            return try JSONDecoder().decode(type, from: Data(answer.body.utf8))
        }

        private func looks(_ world: World) async throws -> [Looks.Look] {
            try await read(Looks.self, world, "/v1/sources/list/looks").data
        }

        private func put(_ world: World, _ members: String) async throws {
            let json = #"{"url":"\#(world.origin.base)/list",\#(members)}"#
            let answer = try await Curl.send(
                "PUT", "\(world.lull.base)/v1/sources/list", json: json)
            guard answer.status == 201 else { throw HarnessError("PUT: \(answer.body)") }
        }

        private func write(_ text: String, _ world: World) throws {
            // Atomically, so that the origin never serves a part.
            try text.write(
                toFile: world.origin.files + "/list", atomically: true, encoding: .utf8)
        }

        private func versions(_ count: Int, _ world: World) async throws -> [Versions.Version] {
            try await eventually("version \(count)") {
                let page = try await read(Versions.self, world, "/v1/sources/list/versions")
                return page.data.count >= count ? page.data : nil
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func aFileThatChangesBackIsThreeVersionsAlsoAcrossAKill() async throws {
            try await World.with(settings: Self.settings) { world in
                try write("A", world)
                try await put(world, #""schedule":{"every":"1s"}"#)
                _ = try await versions(1, world)
                try write("B is longer", world)
                _ = try await versions(2, world)
                // The program is down while the file changes; the last instant is caught up.
                await world.lull.killHard()
                try write("A", world)
                try await Task.sleep(for: .seconds(3))
                try await world.lull.start()
                let list = try await versions(3, world)
                #expect(list.map(\.version) == [3, 2, 1])
                #expect(list[0].sha256 == list[2].sha256 && list[0].sha256 != list[1].sha256)
                let content = try await Curl.get(
                    "\(world.lull.base)/v1/downloads/\(list[1].download)/content")
                #expect(content.body == "B is longer")
                _ = try await eventually("a look that finds no change") {
                    try await looks(world).first {
                        $0.outcome?.hasPrefix("unchanged") == true
                    }
                }
                let all = try await looks(world)
                #expect(all.contains { $0.outcome == "skipped" && $0.reason == "missed" })
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func aSlowLookPassesOverInstantsOrGivesUpForThem() async throws {
            try await World.with(
                settings: Self.settings, originBytesPerSecond: 2000
            ) { world in
                try write(String(repeating: "x", count: 12_000), world)
                try await put(world, #""schedule":{"every":"1s"}"#)
                _ = try await versions(1, world)
                let skipped = try await eventually("a skip") {
                    try await looks(world).first { $0.outcome == "skipped" }
                }
                #expect(skipped.reason == "overlap" && skipped.count > 1)
                // Without a file every attempt fails, and each look gives up for the next one.
                try FileManager.default.removeItem(atPath: world.origin.files + "/list")
                let failed = try await eventually("a failed look") {
                    try await looks(world).first { $0.outcome == "failed" }
                }
                #expect(failed.reason != nil)
            }
        }
    }
}
