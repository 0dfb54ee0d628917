// Kills of the program at any instant between the create and the receiver's answer.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayKillTests {
        /// The number of kills in each test: three, or `LULL_RELAY_KILLS`.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_RELAY_KILLS"].flatMap { Int($0) } ?? 3

        private static let seed =
            ProcessInfo.processInfo.environment["LULL_RELAY_SEED"].flatMap { UInt64($0) } ?? 1

        @Test(.timeLimit(.minutes(20)))
        func everyFileArrivesAndNoPostArrivesTwice() async throws {
            try await World.with(settings: KilledRelays.settings) { world in
                try await Taker.with(ports: 6, in: world.scratch) { taker in
                    let client = RelayClient(world)
                    var random = Seeded(state: Self.seed)
                    var relays = try await KilledRelays(
                        from: world.origin, to: taker, in: world.scratch)
                    for _ in 0..<Self.kills {
                        try await relays.fill(through: [client])
                        let pause = Int.random(in: 50...1500, using: &random)
                        try await Task.sleep(for: .milliseconds(pause))
                        try await relays.kill(world.lull, seenBy: client)
                        try await world.lull.start()
                    }
                    try await relays.check(through: client, "relay kills \(Self.kills)")
                }
            }
        }

        /// One kill in three is longer than the lease, so that others take the fetches over.
        @Test(.timeLimit(.minutes(20)))
        func ofThreeReplicasAnyMayBeKilled() async throws {
            let more = ["LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s"]
            let settings = KilledRelays.settings.merging(more) { $1 }
            try await Fleet.with({ _, _ in Fleet.Plan(count: 3, settings: settings) }) { fleet in
                try await Taker.with(ports: 6, in: fleet.scratch) { taker in
                    let clients = fleet.replicas.map { RelayClient(base: $0.base) }
                    var random = Seeded(state: Self.seed)
                    var relays = try await KilledRelays(
                        from: fleet.origin, to: taker, in: fleet.scratch)
                    for kill in 0..<Self.kills {
                        let victim = Int.random(in: 0..<3, using: &random)
                        let client = clients[(victim + 1) % 3]
                        try await relays.fill(through: clients)
                        let pause = Int.random(in: 50...1500, using: &random)
                        try await Task.sleep(for: .milliseconds(pause))
                        try await relays.kill(fleet.replicas[victim], seenBy: client)
                        if kill % 3 == 1 { try await Task.sleep(for: .seconds(5)) }
                        try await fleet.replicas[victim].start()
                    }
                    try await relays.check(
                        through: clients[0], "relay kills \(Self.kills) of three replicas")
                }
            }
        }

        /// The word that a POST was begun outlives the file that it was about.
        @Test(.timeLimit(.minutes(5)))
        func aPostThatMayHaveArrivedIsNotSentAgainWhenItsFileIsGone() async throws {
            try await World.with(settings: KilledRelays.settings) { world in
                try await Taker.with(in: world.scratch) { taker in
                    let client = RelayClient(world)
                    _ = try await world.origin.makeFile("file", length: 3_000_000)
                    let id = try await client.create(
                        "\(world.origin.base)/file",
                        to: #"{"url":"\#(taker.bases[0])/slow/1000/post","method":"POST"}"#)
                    _ = try await client.reached(id, "the sending") {
                        $0.direction == "send" && $0.countOfBytesSent > 0
                    }
                    await world.lull.killHard()
                    _ = try ContentFolder(world.scratch.file("data")).takeAway(
                        to: world.scratch.folder("aside"))
                    try await world.lull.start()
                    let end = try await client.settled(id)
                    let requests = try taker.requests(of: "post")
                    let shown = "\(end) after \(requests)"
                    #expect(end.state == "attention_required", "\(shown)")
                    #expect(end.error?.code == "destination_outcome_unknown", "\(shown)")
                    #expect(requests.count == 1, "\(shown)")
                }
            }
        }
    }
}
