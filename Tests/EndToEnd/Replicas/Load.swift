// Creates downloads while faults happen, and checks the promises for all of them afterwards.
import Foundation
import Testing

/// The results of creating downloads for some time.
struct Load: Sendable {
    /// The accepted downloads, with the names of their files at the origin.
    var accepted: [String: String] = [:]
    /// Requests without any answer, by replica.
    var unanswered: [Int: Int] = [:]
    /// Requests that were refused.
    var refused = 0
    /// The SHA-256 of each file, in hexadecimal digits.
    var digests: [String: String] = [:]
}

/// Creates downloads at all replicas at once, one after the other at each, until it is stopped.
actor Loader {
    private let fleet: Fleet
    private let pause: Duration
    private var digests: [String: String] = [:]
    private var isOver = false
    private var running: [Task<Load, any Error>] = []

    /// A loader for files `f0`, `f1`, … of the fleet's origin, with a pause after each create.
    init(_ fleet: Fleet, files: Int = 6, pause: Duration = .milliseconds(1)) async throws {
        self.fleet = fleet
        self.pause = pause
        for index in 0..<files {
            let name = "f\(index)"
            digests[name] = try await fleet.origin.makeFile(name, length: 2_000 << (index * 2))
        }
    }

    /// Begins to create downloads.
    func start() {
        // A replica that stands still must not keep the others from their load.
        running = fleet.replicas.indices.map { replica in Task { try await run(replica) } }
    }

    /// Ends the load after the requests that are under way.
    func stop() async throws -> Load {
        isOver = true
        var all = Load()
        all.digests = digests
        for task in running {
            let load = try await task.value
            all.accepted.merge(load.accepted) { $1 }
            all.unanswered.merge(load.unanswered) { $0 + $1 }
            all.refused += load.refused
        }
        return all
    }

    private func run(_ replica: Int) async throws -> Load {
        var load = Load()
        var index = replica
        while !isOver {
            let name = "f\(index % digests.count)"
            index += 1
            let item = """
                {"url": "\(fleet.origin.base)/\(name)", "webhook_url": "\(fleet.receiverURL)/204"}
                """
            let url = "\(fleet.replicas[replica].base)/v1/downloads"
            // A batch with a key is a transaction of several statements.
            let answer =
                index % 5 == 0
                ? try await Curl.send(
                    "POST", "\(url)/batch", json: #"{"downloads": [\#(item)]}"#,
                    fields: ["Idempotency-Key: load-\(UUID().uuidString)"])
                : try await Curl.send("POST", url, json: item)
            switch answer.status {
            case 200..<300: load.accepted[try Self.identifier(in: answer.body)] = name
            case 0: load.unanswered[replica, default: 0] += 1
            default: load.refused += 1
            }
            let isAccepted = (200..<300).contains(answer.status)
            try await Task.sleep(for: isAccepted ? pause : .milliseconds(50))
        }
        return load
    }

    /// The only download that an answer names.
    private static func identifier(in body: String) throws -> String {
        guard let found = body.firstMatch(of: #/"(dl_[0-9A-Z]{26})"/#) else {
            throw HarnessError("no identifier in \(body)")
        }
        return String(found.1)
    }
}

extension Fleet {
    /// Checks the promises for every accepted download: it ends once, whole, with one event and
    /// webhook, and none of its attempts began before the previous one had ended.
    ///
    /// - Parameters:
    ///   - load: the accepted downloads.
    ///   - database: the server that has the rows.
    /// - Throws: the error of a program that is asked.
    func expectSound(_ load: Load, in database: PostgresCluster) async throws {
        #expect(!load.accepted.isEmpty)
        try await expectWhole(load)
        let doubled = try await database.psql(
            """
            SELECT count(*) FROM (
                SELECT d.id FROM downloads d LEFT JOIN events e ON e.download_id = d.id
                    AND e.type IN (9, 10, 11)
                WHERE d.state = lull_state('succeeded') GROUP BY d.id HAVING count(e.*) <> 1) x
            """)
        #expect(doubled == "0", "downloads without one terminal event")
        let ends = try await database.psql(
            """
            SELECT count(*) FROM (SELECT id FROM attempts WHERE outcome IN (1, 2, 4)
                GROUP BY id HAVING count(*) > 1) x
            """)
        #expect(ends == "0", "downloads that ended twice")
        // The starts and ends are by two clocks that follow the database's.
        let overlaps = try await database.psql(
            """
            SELECT count(*) FROM attempts a JOIN attempts b ON b.id = a.id AND b.fence > a.fence
            WHERE b.started_at < a.ended_at - interval '1 second'
            """)
        #expect(overlaps == "0", "attempts of one download at once")
        let ids = Set(load.accepted.keys)
        let deliveries = try await eventually("every terminal webhook") {
            let deliveries = try await receiver.deliveries()
            return ids.isSubset(of: deliveries.compactMap(\.subject)) ? deliveries : nil
        }
        #expect(!deliveries.contains { !$0.verified })
        let events = Dictionary(grouping: deliveries, by: \.subject)
        for id in ids {
            #expect(Set(events[id, default: []].map(\.webhookId)).count == 1, "\(id)")
        }
    }

    /// Checks the end and the digest of every accepted download, the bytes of every file on the
    /// disks, and the served content of as many downloads as can be asked one by one.
    private func expectWhole(_ load: Load) async throws {
        let digests = try await eventually("the end of all downloads", attempts: 3000) {
            () -> [String: String]? in
            let found = try await client(0).digestsOfSucceeded()
            return load.accepted.keys.allSatisfy { found[$0] != nil } ? found : nil
        }
        for (id, name) in load.accepted {
            #expect(digests[id] == load.digests[name], "\(id)")
        }
        for folder in folders {
            let found = try await ContentFolder(folder).digests()
            #expect(found.isSubset(of: load.digests.values), "\(folder)")
        }
        let asked = load.accepted.shuffled().prefix(Fleet.askedAtMost)
        for (place, (id, name)) in asked.enumerated() {
            let client = client(place % replicas.count)
            // A 503 is brief: the replica has a lease again with its next heartbeat.
            try await eventually("the whole content of \(id)", attempts: 600) {
                let isWhole = try await client.hasContent(id, equalTo: "\(origin.files)/\(name)")
                return isWhole ? () : nil
            }
        }
    }

    private static let askedAtMost = 300

    /// Sends a signal to a replica.
    func signal(_ index: Int, _ number: Int32) async throws {
        let process = try #require(await replicas[index].identifier)
        #expect(kill(process, number) == 0)
    }
}
