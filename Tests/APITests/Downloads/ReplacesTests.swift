// Creates that cancel a live download of their session in the same commit.
import Base
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct ReplacesTests {
    private static let search = #""external_id":"search","replaces":"search""#

    private func read(_ reply: Reply, _ world: APIWorld) async throws -> JSON {
        let id = try #require(reply.json["id"]?.stringValue)
        return await world.send("GET", "/v1/downloads/\(id)").json
    }

    private func expect(
        _ reply: Reply, _ state: String, _ world: APIWorld, _ comment: Comment? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let shown = try await read(reply, world)
        #expect(shown["state"]?.stringValue == state, comment, sourceLocation: location)
    }

    @Test(arguments: ["waiting", "suspended", "running"])
    func aLiveDownloadIsCanceledWhateverItDoes(_ state: String) async throws {
        try await APIWorld.with { world in
            let isSuspended = state == "suspended" ? #","suspended":true"# : ""
            let old = await world.create(#""external_id":"search""# + isSuspended)
            let id = try #require(old.json["id"]?.stringValue)
            if state == "running" { try await world.run(id, bytes: 5) }
            let new = await world.create(Self.search)
            #expect(new.status == 201 && new.json["external_id"] == "search", "\(new.text)")
            #expect(new.json["id"] != old.json["id"] && new.json["replaces"] == nil)
            let after = try await read(old, world)
            #expect(after["state"] == (state == "running" ? "canceling" : "canceled"))
            #expect(after["cancel_reason"] == "replaced")
            #expect(world.told.now.orders.map(\.1) == (state == "running" ? [.cancel] : []))
            let named = await world.send("GET", "/v1/downloads?external_id=search")
            #expect(named.json["data"]?.arrayValue?.map { $0["id"] } == [new.json["id"]])
            try await expect(new, "waiting", world)
        }
    }

    @Test func aDownloadThatHasEndedGivesItsNameAndStaysAsItIs() async throws {
        try await APIWorld.with { world in
            let old = await world.create(#""external_id":"search""#)
            try await world.succeed(try #require(old.json["id"]?.stringValue), result: [:])
            let new = await world.create(Self.search)
            #expect(new.status == 201 && new.json["id"] != old.json["id"])
            let after = try await read(old, world)
            #expect(after["state"] == "succeeded" && after["cancel_reason"] == .null)
            // Its name is the new one's, also after its end.
            let path = try #require(old["Location"])
            #expect(await world.send("DELETE", path).status == 204)
            #expect(await world.create(#""external_id":"search""#).json["id"] == new.json["id"])
        }
    }

    /// The members of the second create, and whether it cancels the first, which is `a`.
    @Test(arguments: [
        (#""replaces":"a""#, true), (#""replaces":"a","external_id":"b""#, true),
        (#""replaces":"b""#, false), (#""replaces":"A""#, false), (#""replaces":null"#, false),
        (#""replaces":"a","session":"other""#, false), (#""external_id":"b""#, false),
    ])
    func onlyTheNamedOneOfItsSessionIsCanceled(_ members: String, _ cancels: Bool) async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/other", "{}")
            let old = await world.create(#""external_id":"a""#)
            let beside = await world.create()
            let new = await world.create(members)
            #expect(new.status == 201, "\(new.text)")
            try await expect(old, cancels ? "canceled" : "waiting", world)
            try await expect(beside, "waiting", world)
            // The name stays with the canceled one unless the new one has it.
            #expect(await world.create(#""external_id":"a""#).json["id"] == old.json["id"])
        }
    }

    @Test func aRepetitionWithItsKeyReplacesNothing() async throws {
        try await APIWorld.with { world in
            let old = await world.create(#""external_id":"search""#)
            let body = #"{"url":"https://mirror.example/a.iso",\#(Self.search)}"#
            let key = [("Idempotency-Key", "k")]
            let first = await world.send("POST", "/v1/downloads", body, headers: key)
            let again = await world.send("POST", "/v1/downloads", body, headers: key)
            #expect(first.status == 201 && again.text == first.text)
            try await expect(old, "canceled", world)
            try await expect(first, "waiting", world)
            // Another name of its own: the repetition finds the first, and cancels nothing.
            let named = await world.create(#""external_id":"n","replaces":"search""#)
            let back = await world.create(Self.search)
            let repeated = await world.create(#""external_id":"n","replaces":"search""#)
            #expect(repeated.status == 200 && repeated.json["id"] == named.json["id"])
            try await expect(back, "waiting", world)
        }
    }

    @Test func whatIsRefusedOrOnlyTriedCancelsNothing() async throws {
        try await APIWorld.with { world in
            let old = await world.create(#""external_id":"search""#)
            let taken = await world.create(#""external_id":"taken""#)
            let url = #"{"url":"https://mirror.example/a.iso""#
            for (path, body, status) in [
                ("/v1/downloads?dry_run=true", url + ",\(Self.search)}", 200),
                ("/v1/downloads", url + #","replaces":"search","priority":2}"#, 422),
                ("/v1/downloads", url + #","replaces":""}"#, 422),
                ("/v1/downloads", url + #","replaces":7}"#, 422),
                (
                    "/v1/downloads",
                    #"{"url":"https://b.example/","external_id":"taken","replaces":"search"}"#,
                    409
                ),
                (
                    "/v1/downloads/batch",
                    #"{"downloads":[\#(url),\#(Self.search)},{"url":"ftp://a.example/"}]}"#, 422
                ),
                (
                    "/v1/uploads",
                    #"{"destination":{"url":"https://a.example/"},"length":1,"replaces":"search"}"#,
                    422
                ),
            ] {
                let reply = await world.send("POST", path, body)
                #expect(reply.status == status, "\(body): \(reply.text)")
                try await expect(old, "waiting", world, "\(body)")
            }
            try await expect(taken, "waiting", world)
            let path = try #require(old["Location"])
            let patched = await world.send(
                "PATCH", path, #"{"replaces":"a"}"#,
                headers: [("Content-Type", "application/merge-patch+json")])
            #expect(patched.status == 422)
        }
    }

    @Test func theDownloadsOfABatchReplaceThoseBeforeIt() async throws {
        try await APIWorld.with { world in
            let olds = [
                await world.create(#""external_id":"a""#),
                await world.create(#""external_id":"b""#),
            ]
            let url = #""url":"https://mirror.example/a.iso""#
            let reply = await world.send(
                "POST", "/v1/downloads/batch",
                """
                {"downloads":[{\(url),"external_id":"c","replaces":"a"},
                    {\(url),"external_id":"b","replaces":"b"},
                    {\(url),"external_id":"d","replaces":"c"},
                    {\(url),"external_id":"b","replaces":"b"}]}
                """)
            #expect(reply.status == 201, "\(reply.text)")
            let ids = reply.json["data"]?.arrayValue?.map { $0["id"]?.stringValue } ?? []
            #expect(ids.count == 4 && ids[1] == ids[3] && Set(ids).count == 3)
            for old in olds { try await expect(old, "canceled", world) }
            for id in ids.compactMap(\.self) {
                let shown = await world.send("GET", "/v1/downloads/\(id)").json
                #expect(shown["state"] == "waiting", "c was not there before the batch")
            }
            let next = await world.send(
                "POST", "/v1/downloads/batch",
                """
                {"downloads":[{\(url),"external_id":"b"},{\(url),"external_id":"b","replaces":"b"}]}
                """)
            #expect(next.status == 201, "\(next.text)")
            #expect(next.json["data"]?[0]?["id"] == next.json["data"]?[1]?["id"])
            #expect(next.json["data"]?[0]?["id"]?.stringValue != ids[1])
        }
    }

    /// Whoever comes last has canceled the one before it.
    @Test func ofManyAtOnceOneStaysLive() async throws {
        try await APIWorld.with { world in
            let replies = await withTaskGroup(of: Int.self) { group in
                for number in 0..<24 {
                    let session = number % 3 == 0 ? "" : #","session":"default""#
                    let key = number % 2 == 0 ? [("Idempotency-Key", "k\(number)")] : []
                    let body =
                        #"{"url":"https://mirror.example/\#(number)",\#(Self.search)\#(session)}"#
                    group.addTask {
                        await world.send("POST", "/v1/downloads", body, headers: key).status
                    }
                }
                return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(replies == [201: 24])
            let list = await world.send("GET", "/v1/downloads?limit=100").json["data"]
            let states = (list?.arrayValue ?? []).map { $0["state"]?.stringValue ?? "" }
            #expect(states.count { $0 == "waiting" } == 1)
            #expect(states.count { $0 == "canceled" } == 23)
            let queued: Int64 = try await world.pool.query(
                "SELECT sum(change)::bigint FROM queued_counts")[0].only()
            #expect(queued == 1)
        }
    }

    @Test func theFollowersOfAReplacedLeaderGoOn() async throws {
        try await APIWorld.with { world in
            let join = #""on_duplicate_url":"join""#
            let leader = await world.create(join + #","external_id":"search""#)
            let follower = await world.create(join)
            #expect(follower.json["joined_to"] == leader.json["id"])
            let new = await world.create(join + "," + Self.search)
            #expect(new.status == 201, "\(new.text)")
            try await expect(leader, "canceled", world)
            // As the watch of shared transfers does.
            let downloads = Downloads(pool: world.pool, changes: ChangeHub())
            let due = try await downloads.flights.due(instance: APIWorld.instance, limit: 9)
            for work in due {
                guard case .pass(let id) = work else { continue }
                _ = try await downloads.flights.settle(id, isPassed: true)
            }
            let live = [try await read(follower, world), try await read(new, world)]
            #expect(live.allSatisfy { $0["state"] == "waiting" })
            #expect(!live.contains { $0["joined_to"] == leader.json["id"] })
            #expect(live.count { $0["joined_to"] == .null } >= 1, "one of them transfers")
        }
    }
}
