// Kills of the program at any instant between the create of an upload and its end.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct UploadKillTests {
        /// The number of kills in each test: three, or `LULL_UPLOAD_KILLS`.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_UPLOAD_KILLS"].flatMap { Int($0) } ?? 3

        private static let seed =
            ProcessInfo.processInfo.environment["LULL_UPLOAD_SEED"].flatMap { UInt64($0) } ?? 1

        @Test(.timeLimit(.minutes(30)))
        func everyFileArrivesAndNoPromisedOffsetIsTakenBack() async throws {
            try await StoreWorld.with(settings: KilledRelays.settings) { store in
                let world = store.world
                try await Taker.with(in: world.scratch) { taker in
                    let stager = try await Stager(
                        seed: Self.seed, to: [world.lull.base], files: world.origin, taker, store,
                        in: world.scratch)
                    try await stager.during { stager in
                        var random = Seeded(state: Self.seed)
                        for _ in 0..<Self.kills {
                            try await Task.sleep(
                                for: .milliseconds(Int.random(in: 50...2500, using: &random)))
                            try stager.expectRunning()
                            await world.lull.killHard()
                            try await world.lull.startSupervised()
                        }
                        try await stager.check("upload kills \(Self.kills)")
                    }
                    // What a kill left is found at the start.
                    _ = await world.lull.stop()
                    try await world.lull.start()
                    try await Stager.expectNothingStaged(in: [world.scratch.file("data")])
                }
            }
        }

        /// One kill in three is longer than the lease.
        @Test(.timeLimit(.minutes(30)))
        func ofThreeReplicasAnyMayBeKilled() async throws {
            try await StoreProcess.with(.strict([])) { process in
                let settings = StoreWorld.settings(port: process.port)
                    .merging(KilledRelays.settings) { $1 }
                    .merging(["LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s"]) { $1 }
                try await Fleet.with({ _, _ in Fleet.Plan(count: 3, settings: settings) }) {
                    fleet in
                    try await Taker.with(in: fleet.scratch) { taker in
                        let stager = try await Stager(
                            seed: Self.seed, to: fleet.replicas.map(\.base), files: fleet.origin,
                            taker, StoreWorld(port: process.port), in: fleet.scratch)
                        try await stager.during { try await Self.kill(fleet, while: $0) }
                        for replica in fleet.replicas {
                            _ = await replica.stop()
                            try await replica.start()
                        }
                        try await Stager.expectNothingStaged(in: fleet.folders)
                    }
                }
            }
        }

        private static func kill(_ fleet: Fleet, while stager: Stager) async throws {
            var random = Seeded(state: seed)
            for kill in 0..<kills {
                let victim = Int.random(in: 0..<3, using: &random)
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...2500, using: &random)))
                try stager.expectRunning()
                await fleet.replicas[victim].killHard()
                if kill % 3 == 1 { try await Task.sleep(for: .seconds(5)) }
                try await fleet.replicas[victim].start()
            }
            try await stager.check("upload kills \(kills) of three replicas")
        }
    }
}
