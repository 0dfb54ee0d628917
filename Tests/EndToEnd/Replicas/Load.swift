// Downloads that are created while things fail, and what must be true of all of them afterwards.
import Foundation
import Testing

/// What came of creating downloads for some time.
struct Load: Sendable {
    /// The accepted downloads, with the names of their files at the origin.
    var accepted: [String: String] = [:]
    /// Requests without any answer, by replica.
    var unanswered: [Int: Int] = [:]
    /// Requests that were refused.
    var refused = 0
}

/// Creates downloads at all replicas in turn, until it is stopped.
actor Loader {
    private let fleet: Fleet
    private let files: Int
    private var isOver = false
    private var running: Task<Load, any Error>?

    /// A loader for files `f0`, `f1`, … of the fleet's origin.
    init(_ fleet: Fleet, files: Int = 6) async throws {
        self.fleet = fleet
        self.files = files
        for index in 0..<files {
            _ = try await fleet.origin.makeFile("f\(index)", length: 2_000 << (index * 2))
        }
    }

    /// Begins to create downloads.
    func start() { running = Task { try await run() } }

    /// Ends it after the request that is under way.
    func stop() async throws -> Load {
        isOver = true
        return try await running?.value ?? Load()
    }

    private func run() async throws -> Load {
        struct Created: Decodable { let id: String }
        var load = Load()
        var index = 0
        while !isOver {
            let name = "f\(index % files)"
            let replica = index % fleet.replicas.count
            index += 1
            let json = """
                {"url": "\(fleet.origin.base)/\(name)", "webhook_url": "\(fleet.receiverURL)/204"}
                """
            let answer = try await Curl.send(
                "POST", "\(fleet.replicas[replica].base)/v1/downloads", json: json)
            switch answer.status {
            case 201:
                let created = try JSONDecoder().decode(Created.self, from: Data(answer.body.utf8))
                load.accepted[created.id] = name
            case 0: load.unanswered[replica, default: 0] += 1
            default: load.refused += 1
            }
            try await Task.sleep(for: .milliseconds(answer.status == 201 ? 1 : 50))
        }
        return load
    }
}

extension Fleet {
    /// Holds every accepted download to the promises: it ends once, whole, with one event and
    /// webhook, and no attempt of it began before the one before had ended.
    ///
    /// - Parameters:
    ///   - load: what was accepted.
    ///   - database: the server that has the rows now.
    /// - Throws: what a program that is asked throws.
    func expectSound(_ load: Load, in database: PostgresCluster) async throws {
        #expect(!load.accepted.isEmpty)
        for (place, (id, name)) in load.accepted.sorted(by: { $0.key < $1.key }).enumerated() {
            let client = client(place % replicas.count)
            let ended: LullClient.Download = try await eventually("the end of \(id)") {
                let download = try await client.download(id, wait: 20)
                return ["succeeded", "failed", "canceled"].contains(download.state)
                    ? download : nil
            }
            #expect(ended.state == "succeeded", "\(id)")
            // 503 for a moment: its replica has a lease again with its next heartbeat.
            try await eventually("the whole content of \(id)", attempts: 150) {
                let isWhole = try await client.hasContent(id, equalTo: "\(origin.files)/\(name)")
                return isWhole ? () : nil
            }
        }
        let doubled = try await database.psql(
            """
            SELECT count(*) FROM (
                SELECT d.id FROM downloads d LEFT JOIN events e ON e.download_id = d.id
                    AND e.type IN (9, 10, 11)
                WHERE d.state = 1 GROUP BY d.id HAVING count(e.*) <> 1) x
            """)
        #expect(doubled == "0", "downloads without one terminal event")
        let ends = try await database.psql(
            """
            SELECT count(*) FROM (SELECT id FROM attempts WHERE outcome IN (1, 2, 4)
                GROUP BY id HAVING count(*) > 1) x
            """)
        #expect(ends == "0", "downloads that ended twice")
        // By two clocks that follow the database's.
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

    /// Sends a signal to a replica.
    func signal(_ index: Int, _ number: Int32) async throws {
        let process = try #require(await replicas[index].identifier)
        #expect(kill(process, number) == 0)
    }
}
