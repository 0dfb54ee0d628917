// Several replicas over one PostgreSQL, with an origin and a receiver.
import Foundation
import Testing

/// A deployment of several replicas; each has a data directory of its own, all have one key.
struct Fleet {
    let scratch: Scratch
    let cluster: PostgresCluster
    let replicas: [LullProcess]
    /// The data directories, in the order of the replicas.
    let folders: [String]
    let origin: NginxOrigin
    let receiver: WebhookReceiver
    let receiverURL: String

    /// A client of the replica with this index.
    func client(_ index: Int) -> LullClient { LullClient(base: replicas[index].base) }

    /// The changes that a test makes before the replicas start.
    struct Plan {
        var count = 2
        var settings: [String: String] = [:]
        var originBytesPerSecond: Int?
        /// The database's URL for a replica; nil for the direct one.
        var url: (@Sendable (Int) -> String)?
    }

    /// Runs a test in a new fleet; whatever happens, no process and no file stays behind.
    ///
    /// - Parameters:
    ///   - prepare: makes the programs between the replicas and the server, and returns the plan.
    ///   - body: the test.
    /// - Throws: the errors of ending the processes; other errors are recorded as issues.
    static func with(
        _ prepare: (Scratch, PostgresCluster) async throws -> Plan,
        _ body: (Fleet) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let cluster = try await PostgresCluster(in: scratch)
        let receiver = WebhookReceiver(in: scratch)
        var replicas: [LullProcess] = []
        var scratches: [Scratch] = []
        var origin: NginxOrigin?
        do {
            try await cluster.create()
            let plan = try await prepare(scratch, cluster)
            try scratch.write(String(repeating: "5a", count: 32) + "\n", to: "key")
            for index in 0..<plan.count {
                let own = try Scratch()
                scratches.append(own)
                let common = [
                    "LULL_DATABASE_URL": plan.url?(index) ?? cluster.url,
                    "LULL_ENCRYPTION_KEY_FILE": scratch.file("key"),
                ]
                replicas.append(
                    try await LullProcess(
                        in: own, settings: common.merging(plan.settings) { $1 }))
            }
            let made = try await NginxOrigin(
                in: scratch, bytesPerSecond: plan.originBytesPerSecond)
            origin = made
            try await made.start()
            let url = try await receiver.start()
            for replica in replicas { try await replica.start() }
            let fleet = Fleet(
                scratch: scratch, cluster: cluster, replicas: replicas,
                folders: scratches.map { $0.file("data") }, origin: made, receiver: receiver,
                receiverURL: url)
            try await receiver.trust(try await fleet.client(0).webhookSecret())
            try await body(fleet)
        } catch {
            var logs = ""
            for replica in replicas { logs += try await replica.logEnd() + "\n\n" }
            Issue.record(error, "the logs end:\n\(logs)")
        }
        let (started, folders, server) = (replicas, scratches, origin)
        try await Task {
            for replica in started { await replica.killHard() }
            await receiver.stop()
            await server?.cut()
            await cluster.killHard()
            for folder in folders + [scratch] { try folder.remove() }
        }.value
    }

    /// The index of the replica that has the file of a download.
    func holder(of id: String) throws -> Int {
        for (index, folder) in folders.enumerated() {
            let names = try ContentFolder(folder).names()
            if names.contains(where: { !$0.hasSuffix(".part") && $0.contains(".") }) {
                return index
            }
        }
        throw HarnessError("no replica has a file of \(id)")
    }

    /// Waits until a replica answers that it is ready.
    func ready(_ index: Int, attempts: Int = 600) async throws {
        try await eventually("replica \(index) to be ready", attempts: attempts) {
            try await Curl.get("\(replicas[index].base)/readyz").status == 200 ? () : nil
        }
    }

    /// Runs `lull` with the settings of the first replica.
    func command(_ arguments: [String]) async throws -> CommandRun {
        try await CommandRun.of(
            arguments,
            settings: [
                "LULL_DATABASE_URL": cluster.url,
                "LULL_ENCRYPTION_KEY_FILE": scratch.file("key"),
            ], in: scratch)
    }
}
