// The scopes and limits of a key.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct GrantTests {
    private func key(
        _ world: APIWorld, _ name: String, _ scopes: Set<KeyScope>
    ) async throws -> [(String, String)] {
        _ = try await APIKeys(pool: world.pool).create(
            app: "app", digest: SHA256.digest(of: name), scopes: scopes)
        return [("Authorization", "Bearer " + name)]
    }

    private func gated(_ world: APIWorld) -> APIWorld {
        var world = world
        let authenticator = KeyAuthenticator(world.dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        return world
    }

    @Test func eachScopeOpensItsEndpointsOnly() async throws {
        try await APIWorld.with { world in
            let none = "/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"
            let open: [(String, String, KeyScope, Int)] = [
                ("GET", "/v1/downloads", .readDownloads, 200),
                ("GET", none, .readDownloads, 404), ("GET", none + "/content", .readContent, 404),
                ("HEAD", none + "/content", .readContent, 404),
                ("POST", none + "/cancel", .writeDownloads, 404),
                ("GET", "/v1/overview", .readDownloads, 200),
                ("PUT", "/v1/policy", .admin, 415),
                ("PUT", "/v1/sessions/a", .writeDownloads, 415),
                ("GET", "/v1/webhook_endpoints/default/secret", .webhooks, 200),
            ]
            let world = gated(world)
            for scope in KeyScope.allCases {
                let headers = try await key(world, "k-" + scope.rawValue, [scope])
                for (method, path, needed, status) in open {
                    let reply = await world.send(method, path, headers: headers)
                    if scope == needed {
                        #expect(reply.status == status, "\(scope) \(method) \(path)")
                    } else {
                        reply.expectProblem("insufficient-scope", status: 403)
                        let words = "error=\"insufficient_scope\", scope=\"\(needed.rawValue)\""
                        #expect(reply["WWW-Authenticate"] == "Bearer " + words)
                        #expect(
                            reply.json["detail"]?.stringValue?.contains(needed.rawValue) == true)
                    }
                }
            }
        }
    }

    @Test func metricsNeedAKeyOnlyWhereTheSettingsSaySo() async throws {
        try await APIWorld.with { world in
            let keys = try await (
                none: [(String, String)](), standard: key(world, "k", KeyScope.standard),
                admin: key(world, "a", [.admin])
            )
            for (isNeeded, expected) in [(false, [200, 200, 200]), (true, [401, 403, 200])] {
                var dependencies = world.dependencies
                dependencies.settings.metricsNeedKey = isNeeded
                var gated = world
                let authenticator = KeyAuthenticator(dependencies, keys: APIKeys(pool: world.pool))
                gated.handler = { authenticator.answer($0) }
                var statuses: [Int] = []
                for headers in [keys.none, keys.standard, keys.admin] {
                    statuses.append(await gated.send("GET", "/metrics", headers: headers).status)
                }
                #expect(statuses == expected)
            }
        }
    }

    /// An unknown key is looked up once; a key that is made later was never sent before.
    @Test func unknownKeyIsLookedUpOnce() async throws {
        try await APIWorld.with { world in
            let wrong = [("Authorization", "Bearer lull_wrong")]
            let gate = gated(world)
            await #expect(gate.send("GET", "/v1/downloads", headers: wrong).status == 401)
            try await world.pool.script("ALTER TABLE api_keys RENAME TO hidden")
            await #expect(gate.send("GET", "/v1/downloads", headers: wrong).status == 401)
            let other = [("Authorization", "Bearer lull_other")]
            await #expect(gate.send("GET", "/v1/downloads", headers: other).status == 500)
            try await world.pool.script("ALTER TABLE hidden RENAME TO api_keys")
            let valid = try await key(world, "k", KeyScope.standard)
            await #expect(gate.send("GET", "/v1/downloads", headers: valid).status == 200)
        }
    }

    @Test func limitsTheRequestRateOfAnApp() async throws {
        try await APIWorld.with { world in
            let headers = try await key(world, "k", KeyScope.standard)
            let keys = APIKeys(pool: world.pool)
            let limits = AppLimits(requestsPerSecond: 0.001)
            let set = try await keys.limit(app: "app", AppLimitChange(to: limits))
            #expect(set == limits)
            let world = gated(world)
            await #expect(world.send("GET", "/v1/downloads", headers: headers).status == 200)
            let reply = await world.send("GET", "/v1/downloads", headers: headers)
            reply.expectProblem("quota-exceeded", status: 429)
            #expect(reply.json["violated_policies"] == ["requests"])
            #expect(Int(try #require(reply["Retry-After"])) ?? 0 > 900)
        }
    }

    @Test func limitsTheQueueOfAnApp() async throws {
        try await APIWorld.with { world in
            let headers = try await key(world, "k", KeyScope.standard)
            _ = try await APIKeys(pool: world.pool).limit(
                app: "app", AppLimitChange(to: AppLimits(queued: 2)))
            let world = gated(world)
            func create(_ more: [(String, String)] = []) async -> Reply {
                await world.send(
                    "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#,
                    headers: headers + more)
            }
            let once = [("Idempotency-Key", "k")]
            await #expect(create(once).status == 201)
            let batch = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"downloads":[{"url":"https://a.example/"},{"url":"https://a.example/"}]}"#,
                headers: headers)
            batch.expectProblem("quota-exceeded", status: 429)
            let second = await create()
            #expect(second.status == 201)
            let third = await create()
            third.expectProblem("quota-exceeded", status: 429)
            #expect(third.json["violated_policies"] == ["queued"] && third["Retry-After"] == "10")
            // The stored answer is sent again.
            await #expect(create(once)["Idempotent-Replayed"] == "true")
            let path = try #require(second["Location"])
            _ = await world.send("POST", path + "/cancel", headers: headers)
            await #expect(create().status == 201)
        }
    }

    @Test func recordsTheLastUseOfAKey() async throws {
        try await APIWorld.with { world in
            let headers = try await key(world, "k", [.admin, .readDownloads])
            let keys = APIKeys(pool: world.pool)
            let before = try await keys.list()
            #expect(before[0].lastUsedAt == nil)
            #expect(before[0].scopes == ["downloads:read", "admin"])
            let world = gated(world)
            _ = await world.send("GET", "/v1/downloads", headers: headers)
            let used = try #require(await keys.list()[0].lastUsedAt)
            // The use of a key is not written again within a minute.
            _ = try await keys.grant(ofDigest: SHA256.digest(of: "k"))
            let again = try await keys.list()
            #expect(again[0].lastUsedAt == used)
        }
    }
}
