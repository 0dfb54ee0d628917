// Streams and long polls end when their key ends.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct KeyEndTests {
    /// A way in which a key loses its rights.
    enum End: CaseIterable {
        case revoked, narrowed

        var statement: String {
            switch self {
            case .revoked: "UPDATE api_keys SET revoked_at = clock_timestamp()"
            case .narrowed: "UPDATE api_keys SET scopes = ARRAY['content:read']"
            }
        }

        var problem: (name: String, status: Int) {
            self == .revoked ? ("unauthorized", 401) : ("insufficient-scope", 403)
        }
    }

    private func gated(_ world: APIWorld) -> (APIWorld, KeyWatch) {
        var world = world
        let authenticator = KeyAuthenticator(
            world.dependencies, keys: APIKeys(pool: world.pool), interval: .milliseconds(50))
        world.handler = { authenticator.answer($0) }
        return (world, authenticator.watch)
    }

    private func key(_ world: APIWorld, _ name: String) async throws -> [(String, String)] {
        _ = try await APIKeys(pool: world.pool).create(
            app: "app", digest: SHA256.digest(of: name))
        return [("Authorization", "Bearer " + name)]
    }

    /// Waits for at most a minute until this many keys are watched.
    private func expect(_ count: Int, in watch: KeyWatch) async throws {
        for _ in 0..<6000 where watch.count != count {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(watch.count == count)
    }

    @Test(arguments: End.allCases)
    func aStreamEndsWithAnEventOnceItsKeyDoes(_ end: End) async throws {
        try await APIWorld.with { world in
            let (world, watch) = gated(world)
            let bearer = try await key(world, "k")
            let headers = bearer + [("Accept", "text/event-stream")]
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#, headers: bearer)
            let path = try #require(made["Location"])
            // If the event is lost, the streams end after their own time.
            for target in ["/v1/events?wait=20", path + "/events?wait=20"] {
                try await world.pool.script(
                    "UPDATE api_keys SET revoked_at = NULL, scopes = ARRAY['downloads:read']")
                let reply = await world.send("GET", target, headers: headers)
                #expect(reply.status == 200)
                let reader = StreamReader()
                async let reading: Void = reader.read(reply)
                try await expect(1, in: watch)
                try await world.pool.script(end.statement)
                await reading
                let last = try #require(reader.events.last)
                #expect(last["event"] == end.problem.name, "\(target)")
                #expect(last["id"] == nil)
                let data = try JSON.parse(Array(try #require(last["data"]).utf8))
                #expect(data["status"] == .integer(Int64(end.problem.status)))
                #expect(data["type"]?.stringValue == "/problems/" + end.problem.name)
                #expect(watch.count == 0)
            }
        }
    }

    @Test(arguments: End.allCases)
    func aLongPollEndsWithAProblemOnceItsKeyDoes(_ end: End) async throws {
        try await APIWorld.with { world in
            let (world, watch) = gated(world)
            let headers = try await key(world, "k")
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#, headers: headers)
            let path = try #require(made["Location"])
            for target in [path + "?wait=20", "/v1/events?wait=20&types=download.failed"] {
                try await world.pool.script(
                    "UPDATE api_keys SET revoked_at = NULL, scopes = ARRAY['downloads:read']")
                async let answer = world.send("GET", target, headers: headers)
                try await expect(1, in: watch)
                try await world.pool.script(end.statement)
                let reply = await answer
                reply.expectProblem(end.problem.name, status: end.problem.status)
                #expect(reply["WWW-Authenticate"] != nil)
                #expect(watch.count == 0)
            }
        }
    }

    /// The download was created, and a client that got a refusal would create it again.
    @Test func aCreateThatWaitsIsAnsweredAsCreated() async throws {
        try await APIWorld.with { world in
            let (world, watch) = gated(world)
            let headers = try await key(world, "k") + [("Prefer", "wait=20")]
            async let answer = world.send(
                "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#, headers: headers)
            try await expect(1, in: watch)
            try await world.pool.script(End.revoked.statement)
            let reply = await answer
            #expect(reply.status == 201)
            #expect(watch.count == 0)
        }
    }

    @Test func onlyTheRequestsOfTheRevokedKeyEnd() async throws {
        try await APIWorld.with { world in
            let (world, watch) = gated(world)
            let target = "/v1/events?wait=5&types=download.failed"
            var headers: [[(String, String)]] = []
            for number in 0..<6 { headers.append(try await key(world, "k\(number)")) }
            let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (number, fields) in headers.enumerated() {
                    group.addTask {
                        (number, await world.send("GET", target, headers: fields).status)
                    }
                }
                try await expect(6, in: watch)
                try await world.pool.script(
                    "UPDATE api_keys SET revoked_at = clock_timestamp() WHERE key_no % 2 = 0")
                var statuses: [Int: Int] = [:]
                for try await (number, status) in group { statuses[number] = status }
                return statuses
            }
            #expect(statuses.values.filter { $0 == 401 }.count == 3)
            #expect(statuses.values.filter { $0 == 200 }.count == 3)
        }
    }

    @Test func aStreamWhoseKeyLosesTheScopeShowsNoMoreTokensOfWakes() async throws {
        try await APIWorld.with { open in
            let (world, watch) = gated(open)
            _ = try await APIKeys(pool: world.pool).create(
                app: "default", digest: SHA256.digest(of: "k"), scopes: Set(KeyScope.allCases))
            let headers = [("Authorization", "Bearer k"), ("Accept", "text/event-stream")]
            let reply = await world.send(
                "GET", "/v1/events?wait=20&types=session.wake", headers: headers)
            let reader = StreamReader()
            async let reading: Void = reader.read(reply) { $0.contains("event: session.wake") }
            try await expect(1, in: watch)
            try await world.pool.script("UPDATE api_keys SET scopes = ARRAY['downloads:read']")
            let digest = SHA256.digest(of: "k")
            for _ in 0..<6000 where watch.grant(of: digest)?.scopes.count != 1 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(watch.grant(of: digest)?.scopes == [.readDownloads])
            _ = try await open.wakeSession("a")
            await reading
            #expect(reader.seen.contains("event: session.wake"))
            #expect(!reader.seen.contains("wake_token"))
        }
    }

    @Test func aKeyThatCannotBeLookedUpCountsForATime() async throws {
        let world = try APIWorld.alone()
        let watch = KeyWatch(
            keys: APIKeys(pool: world.pool), interval: KeyWatch.interval, trust: .seconds(3600))
        let grant = KeyGrant.everything(app: 1)
        let now = ContinuousClock.now
        watch.enter([1], grant, provenAt: now - .seconds(13))
        watch.enter([2], grant, provenAt: now - .seconds(3601))
        #expect(await watch.verdict(of: [1]) == .holds(grant))
        #expect(await watch.verdict(of: [2]) == .unproven)
        await world.pool.close()
    }

    /// The age of the look that admitted a request and the time to the next look are 30 s together
    /// at most.
    @Test func aLookComesBeforeTrustEnds() {
        #expect(KeyWatch.interval * 2 < KeyWatch.trust)
    }
}
