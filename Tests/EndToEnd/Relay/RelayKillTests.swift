// Kills of the program at any instant between the create and the receiver's answer.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayKillTests {
        /// The number of kills: three, or `LULL_RELAY_KILLS`.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_RELAY_KILLS"].flatMap { Int($0) } ?? 3

        private static let seed =
            ProcessInfo.processInfo.environment["LULL_RELAY_SEED"].flatMap { UInt64($0) } ?? 1

        /// Equal seeds give equal instants.
        private struct Seeded: RandomNumberGenerator {
            var state: UInt64

            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return (state >> 33) | (state << 31)
            }
        }

        /// A download that was accepted.
        private struct Accepted {
            let id: String
            let name: String
            let method: String
            let isKeyed: Bool
        }

        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "200ms", "LULL_MAX_ATTEMPTS": "100",
        ]

        /// Creates a download whose fetch and sending take about half a second each; four of six
        /// are PUTs.
        private func create(
            _ number: Int, _ world: World, _ taker: Taker, _ client: RelayClient
        ) async throws -> Accepted {
            let method = number % 3 == 2 ? "POST" : "PUT"
            let isKeyed = number % 6 == 5
            let name = "k\(number)"
            let key = isKeyed ? #","headers":{"Idempotency-Key":"\#(name)"}"# : ""
            let url = "\(taker.bases[number % taker.bases.count])/slow/4000/\(name)"
            let id = try await client.create(
                "\(world.origin.base)/file", to: #"{"url":"\#(url)","method":"\#(method)"\#(key)}"#,
                #","max_bytes_per_second":4000000"#)
            return Accepted(id: id, name: name, method: method, isKeyed: isKeyed)
        }

        private func open(_ client: RelayClient, _ all: [Accepted]) async throws -> Int {
            try await all.asyncCount {
                !["succeeded", "attention_required"].contains(try await client.find($0.id).state)
            }
        }

        @Test(.timeLimit(.minutes(20)))
        func everyFileArrivesAndNoPostArrivesTwice() async throws {
            try await World.with(settings: Self.settings) { world in
                let digest = try await world.origin.makeFile("file", length: 3_000_000)
                try await Taker.with(ports: 6, in: world.scratch) { taker in
                    let client = RelayClient(world)
                    var random = Seeded(state: Self.seed)
                    var all: [Accepted] = []
                    for _ in 0..<Self.kills {
                        let missing = try await 6 - open(client, all.suffix(12))
                        for _ in 0..<max(0, missing) {
                            all.append(try await create(all.count, world, taker, client))
                        }
                        let pause = Int.random(in: 50...1500, using: &random)
                        try await Task.sleep(for: .milliseconds(pause))
                        await world.lull.killHard()
                        try await world.lull.start()
                    }
                    for accepted in all { try await check(accepted, client, taker, digest) }
                    let unknown = try await all.asyncCount {
                        try await client.find($0.id).state == "attention_required"
                    }
                    let told =
                        "relay kills \(Self.kills): \(all.count) files, \(unknown) unknown\n"
                    FileHandle.standardError.write(Data(told.utf8))
                }
            }
        }

        private func check(
            _ accepted: Accepted, _ client: RelayClient, _ taker: Taker, _ digest: String
        ) async throws {
            let end = try await client.settled(accepted.id)
            let requests = try taker.requests(of: accepted.name)
            let whole = requests.count(where: \.whole)
            let shown = "\(accepted): \(end) after \(requests)"
            if accepted.method == "PUT" || accepted.isKeyed {
                #expect(end.state == "succeeded", "\(shown)")
            } else {
                #expect(whole <= 1, "\(shown)")
            }
            if end.state == "succeeded" {
                #expect(whole >= 1, "\(shown)")
                #expect(try await taker.digest(of: accepted.name) == digest, "\(shown)")
            } else {
                #expect(end.error?.code == "destination_outcome_unknown", "\(shown)")
            }
        }
    }
}

extension Sequence {
    /// The number of elements with a property that has to be asked for.
    fileprivate func asyncCount(_ isCounted: (Element) async throws -> Bool) async throws -> Int {
        var count = 0
        for element in self where try await isCounted(element) { count += 1 }
        return count
    }
}
