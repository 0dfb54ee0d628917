// Several replicas: only the one that has a file sends it.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RelayFleetTests {
        private static let settings = [
            "LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s", "LULL_RETRY_BASE": "50ms",
            "LULL_RETRY_CAP": "100ms",
        ]

        /// The index of the replica that has a file.
        private func holder(_ fleet: Fleet) throws -> Int {
            try #require(
                fleet.folders.indices.first {
                    try !ContentFolder(fleet.folders[$0]).names().isEmpty
                })
        }

        @Test(.timeLimit(.minutes(5)))
        func onlyTheReplicaWithTheFileSendsIt() async throws {
            try await Fleet.with({ _, _ in Fleet.Plan(count: 3, settings: Self.settings) }) {
                fleet in
                let digest = try await fleet.origin.makeFile("file", length: 6_000_000)
                try await Taker.with(in: fleet.scratch) { taker in
                    let id = try await RelayClient(base: fleet.replicas[0].base).create(
                        "\(fleet.origin.base)/file",
                        to: #"{"url":"\#(taker.bases[0])/slow/2000/file"}"#)
                    _ = try await RelayClient(base: fleet.replicas[0].base).reached(
                        id, "the sending"
                    ) { $0.direction == "send" && $0.countOfBytesSent > 0 }
                    let gone = try holder(fleet)
                    let client = RelayClient(base: fleet.replicas[(gone + 1) % 3].base)
                    await fleet.replicas[gone].killHard()
                    let held = try await client.reached(id, "the blocker") {
                        $0.blockers?.contains { $0.code == "replica_away" } ?? false
                    }
                    #expect(held.state == "waiting" && held.direction == "send")
                    let explanation = try await client.text(id, "/explain")
                    #expect(explanation.contains("replica_away"))
                    try await Task.sleep(for: .seconds(1))
                    #expect(try taker.requests().count(where: \.whole) == 0)
                    try await fleet.replicas[gone].start()
                    #expect(try await client.settled(id).state == "succeeded")
                    #expect(try await taker.digest(of: "file") == digest)
                    #expect(try taker.requests().count(where: \.whole) == 1)
                    let log = try fleet.scratch.read("nginx/access.log")
                    #expect(log.split(separator: "\n").count { $0.contains("GET /file ") } == 1)
                }
            }
        }
    }
}
