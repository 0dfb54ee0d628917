// Kills of the program at any instant between the create and the object.
import Foundation
import Support
import Testing

/// Downloads whose files become objects; some six of them are open at any time.
private struct KilledUploads {
    /// Files of one request, and of three and six parts.
    private static let lengths = [300_000, 20_000_000, 45_000_000]

    private let store: StoreWorld
    private let origin: NginxOrigin
    private var digests: [String] = []
    private var all: [(id: String, name: String, kind: Int)] = []

    init(_ store: StoreWorld, from origin: NginxOrigin) async throws {
        (self.store, self.origin) = (store, origin)
        for length in Self.lengths {
            digests.append(try await origin.makeFile("file-\(length)", length: length))
        }
    }

    /// Creates downloads until six are open, through each replica in turn.
    mutating func fill(through clients: [RelayClient]) async throws {
        var open = 0
        for download in all.suffix(12) {
            let state = try await clients[0].find(download.id).state
            if state != "succeeded" { open += 1 }
        }
        for _ in open..<max(6, open) {
            let (number, kind) = (all.count, all.count % Self.lengths.count)
            let name = "k\(number)"
            let id = try await clients[number % clients.count].create(
                "\(origin.base)/file-\(Self.lengths[kind])?\(name)",
                to: #"{"name":"cold","path":"\#(name)"}"#,
                #","max_bytes_per_second":\#(Self.lengths[kind] * 2)"#)
            all.append((id, name, kind))
        }
    }

    /// Waits for the end of each download, and checks its object.
    func check(through client: RelayClient, restarting lull: LullProcess) async throws {
        for download in all {
            let end = try await client.settled(download.id)
            #expect(end.state == "succeeded", "\(download): \(end)")
        }
        let objects = try await store.objects()
        #expect(objects.count == all.count)
        for download in all {
            let object = try #require(objects[download.name], "\(download)")
            #expect(object.sha256 == digests[download.kind], "\(download)")
            #expect(object.metadata["lull-download"] == download.id, "\(download)")
        }
        let written = try await store.requests().filter {
            ["PutObject", "CompleteMultipartUpload"].contains($0.operation) && $0.status == 200
                && $0.key?.contains("/.lull/") == false
        }
        #expect(written.count == all.count)
        let begun = try await store.requests("CreateMultipartUpload").count { $0.status == 200 }
        let left = try await store.uploads().count
        // Uploads that were begun right before a kill are aborted when they are a day old.
        try await store.tell("/_age", #"{"seconds":90000}"#)
        _ = await lull.stop()
        try await lull.start()
        try await eventually("the end of all uploads") {
            try await store.uploads().isEmpty ? () : nil
        }
        let told = "store kills: \(all.count) files, \(begun) uploads begun, \(left) left over\n"
        FileHandle.standardError.write(Data(told.utf8))
    }
}

extension EndToEndTests {
    @Suite(.serialized) struct StoreKillTests {
        /// The number of kills in each test: three, or `LULL_STORE_KILLS`.
        private static let kills =
            ProcessInfo.processInfo.environment["LULL_STORE_KILLS"].flatMap { Int($0) } ?? 3

        private static let seed =
            ProcessInfo.processInfo.environment["LULL_STORE_SEED"].flatMap { UInt64($0) } ?? 1

        @Test(.timeLimit(.minutes(30)))
        func everyObjectIsWholeAndWrittenOnce() async throws {
            try await StoreWorld.with(settings: KilledRelays.settings) { store in
                var random = Seeded(state: Self.seed)
                var uploads = try await KilledUploads(store, from: store.world.origin)
                for _ in 0..<Self.kills {
                    try await uploads.fill(through: [store.client])
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 50...2500, using: &random)))
                    await store.world.lull.killHard()
                    try await store.world.lull.start()
                }
                try await uploads.check(through: store.client, restarting: store.world.lull)
            }
        }

        /// One kill in three is longer than the lease, so that others take the fetches over.
        @Test(.timeLimit(.minutes(30)))
        func ofThreeReplicasAnyMayBeKilled() async throws {
            try await StoreProcess.with(.strict([])) { process in
                let settings = StoreWorld.settings(port: process.port)
                    .merging(KilledRelays.settings) { $1 }
                    .merging(["LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s"]) { $1 }
                try await Fleet.with({ _, _ in Fleet.Plan(count: 3, settings: settings) }) {
                    fleet in
                    let clients = fleet.replicas.map { RelayClient(base: $0.base) }
                    let store = StoreWorld(port: process.port)
                    var random = Seeded(state: Self.seed)
                    var uploads = try await KilledUploads(store, from: fleet.origin)
                    for kill in 0..<Self.kills {
                        let victim = Int.random(in: 0..<3, using: &random)
                        try await uploads.fill(through: clients)
                        try await Task.sleep(
                            for: .milliseconds(Int.random(in: 50...2500, using: &random)))
                        await fleet.replicas[victim].killHard()
                        if kill % 3 == 1 { try await Task.sleep(for: .seconds(5)) }
                        try await fleet.replicas[victim].start()
                    }
                    try await uploads.check(
                        through: clients[0], restarting: fleet.replicas[1])
                }
            }
        }
    }
}
