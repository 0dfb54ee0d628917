// The number of downloads of an app that may wait and run, for every way into the queue.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct QueueGateTests {
    private static let key = [("Authorization", "Bearer k")]

    private func gated(_ world: APIWorld) async throws -> APIWorld {
        _ = try await APIKeys(pool: world.pool).create(
            app: "app", digest: SHA256.digest(of: "k"))
        return replica(of: world)
    }

    /// Another process over this database.
    private func replica(of world: APIWorld) -> APIWorld {
        var world = world
        let authenticator = KeyAuthenticator(world.dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        return world
    }

    private func limit(_ count: Int64, _ world: APIWorld) async throws {
        _ = try await APIKeys(pool: world.pool).limit(
            app: "app", AppLimitChange(to: AppLimits(queued: count)))
    }

    private func live(_ world: APIWorld) async throws -> Int64 {
        try await world.pool.query("SELECT count(*) FROM queue")[0].get(0)
    }

    private func post(_ world: APIWorld, _ path: String, _ body: String? = nil) async -> Reply {
        await world.send("POST", path, body, headers: Self.key)
    }

    /// Downloads that have ended, by their paths.
    private func ended(
        _ count: Int, _ world: APIWorld, _ members: String = ""
    ) async throws -> [String] {
        var paths: [String] = []
        for number in 0..<count {
            let made = await post(
                world, "/v1/downloads", "{\"url\":\"https://a.example/\(number)\"\(members)}")
            let path = try #require(made["Location"])
            _ = await post(world, path + "/cancel")
            paths.append(path)
        }
        return paths
    }

    /// Resume data of a waiting download with five of its nine bytes.
    private func resumeData(_ world: APIWorld) async throws -> String {
        let made = await post(world, "/v1/downloads", #"{"url":"https://a.example/half"}"#)
        let path = try #require(made["Location"])
        var facts = ResponseFacts(status: 200, url: "https://a.example/half")
        facts.etag = "\"v1\""
        let point = ResumePoint(
            offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 0,
            now: Timestamp(seconds: 1_795_309_200))
        _ = try await world.pool.query(
            "UPDATE queue SET resume = $1, bytes = 5",
            [JSONText(JSON.object(point.json).text)])
        let reply = await world.send("GET", path + "/resume_data", headers: Self.key)
        return try #require(reply.json["resume_data"]?.stringValue)
    }

    private static let retryAll = #"{"action":"retry","filter":{"state":["canceled"]}}"#

    @Test func bulkRetryMakesAsManyLiveAsThereIsRoomFor() async throws {
        try await APIWorld.with { world in
            let world = try await gated(world)
            _ = try await ended(14, world)
            try await limit(2, world)
            let reply = await post(replica(of: world), "/v1/downloads/bulk", Self.retryAll)
            #expect(reply.json == ["matched": 14, "changed": 2, "over_quota": 12])
            #expect(try await live(world) == 2)
        }
    }

    @Test func aRetryBeyondTheLimitIsRefused() async throws {
        try await APIWorld.with { world in
            let world = try await gated(world)
            let paths = try await ended(2, world)
            try await limit(1, world)
            #expect(await post(world, paths[0] + "/retry").status == 200)
            let refused = await post(world, paths[1] + "/retry")
            refused.expectProblem("quota-exceeded", status: 429)
            #expect(refused.json["violated_policies"] == ["queued"])
            #expect(refused["Retry-After"] == "10")
            #expect(try await live(world) == 1)
        }
    }

    /// Creates, batches, names, shared transfers, resume data, retries and bulk retries at once, by
    /// two replicas: each takes a free place, and no place is taken twice.
    @Test func whateverComesAtOnceMakesExactlyTheLimit() async throws {
        try await APIWorld.with { world in
            let first = try await gated(world)
            let ended = try await ended(6, first)
            let data = try await resumeData(first)
            for limit in [Int64(7), 13] {
                try await self.limit(limit, world)
                let worlds = [replica(of: world), replica(of: world)]
                let statuses = await withTaskGroup(of: Int.self) { group in
                    for (number, world) in worlds.enumerated() {
                        for place in 0..<6 {
                            let members = [
                                "", #","external_id":"\#(limit)-\#(number)-\#(place)""#,
                                #","on_duplicate_url":"join""#,
                            ][place % 3]
                            let source =
                                place == 0
                                ? #""resume_data":"\#(data)""# : #""url":"https://b.example/""#
                            let body = "{\(source)\(members)}"
                            group.addTask { await post(world, "/v1/downloads", body).status }
                        }
                        for place in 0..<2 {
                            let list =
                                #"{"downloads":[{"url":"https://c.example/\#(place)"},"#
                                + #"{"url":"https://c.example/d"}]}"#
                            group.addTask {
                                await post(world, "/v1/downloads/batch", list).status
                            }
                        }
                        group.addTask {
                            await post(world, "/v1/downloads/bulk", Self.retryAll).status
                        }
                        for path in ended {
                            group.addTask { await post(world, path + "/retry").status }
                        }
                    }
                    return await group.reduce(into: Set<Int>()) { $0.insert($1) }
                }
                // 409: another request has retried it already. No two requests wait for each other.
                #expect(statuses.isSubset(of: [200, 201, 409, 429]))
                #expect(try await live(world) == limit)
            }
        }
    }

    @Test func anAppWithoutALimitIsNotHeldUpByOneThatHasIt() async throws {
        try await APIWorld.with { world in
            let gated = try await gated(world)
            try await limit(0, world)
            async let refused = post(gated, "/v1/downloads", #"{"url":"https://a.example/"}"#)
            async let made = world.create()
            #expect(await (refused.status, made.status) == (429, 201))
        }
    }
}
