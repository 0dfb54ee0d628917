// Files for stores on replicas that are given up.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct StoreReplicaTests {
        @Test(.timeLimit(.minutes(5)))
        func aFileOfAForgottenReplicaIsFetchedAgainAndStored() async throws {
            try await StoreProcess.with(.strict([])) { process in
                let settings = StoreWorld.settings(port: process.port)
                    .merging(["LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s"]) { $1 }
                try await Fleet.with({ _, _ in Fleet.Plan(count: 2, settings: settings) }) {
                    fleet in
                    let store = StoreWorld(port: process.port)
                    let clients = fleet.replicas.map { RelayClient(base: $0.base) }
                    func away() async throws -> Substring? {
                        try await fleet.command(["replicas"]).output.split(separator: "\n")
                            .map { $0.split(separator: "\t") }
                            .first { $0[3] == "away since" }?[0]
                    }
                    await fleet.replicas[1].killHard()
                    _ = try await fleet.origin.makeFile("known", length: 100)
                    let digest = try await fleet.origin.makeFile("a", length: 17_000_000)
                    let known = try await clients[0].create(
                        "\(fleet.origin.base)/known", to: #"{"name":"cold"}"#)
                    #expect(try await clients[0].settled(known).state == "succeeded")
                    try await store.fail("UploadPart", "stall")
                    let id = try await clients[0].create(
                        "\(fleet.origin.base)/a", to: #"{"name":"cold"}"#)
                    try await eventually("a part on its way") {
                        try await store.requests("UploadPart").isEmpty ? nil : ()
                    }
                    await fleet.replicas[0].killHard()
                    try await fleet.replicas[1].start()
                    let number = try await eventually("the end of the lease") { try await away() }
                    let forgotten = try await fleet.command(["replicas", "forget", "\(number)"])
                    #expect(forgotten.status == 0, "\(forgotten.errors)")
                    #expect(forgotten.errors.contains("1 fetched again"))
                    #expect(try await clients[1].settled(id).state == "succeeded")
                    #expect(try await store.objects()["a"]?.sha256 == digest)
                    #expect(try await store.uploads().isEmpty)
                }
            }
        }
    }
}
