// Keys: required below /v1/, and each acts for its app only.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct KeyAuthenticatorTests {
    private func bearer(_ key: String) -> [(String, String)] {
        [("Authorization", "Bearer " + key)]
    }

    private func gated(_ world: APIWorld) -> APIWorld {
        var world = world
        let authenticator = KeyAuthenticator(world.dependencies, keys: APIKeys(pool: world.pool))
        world.handler = { authenticator.answer($0) }
        return world
    }

    @Test func withoutAKeyOnlyOpenPathsAnswer() async throws {
        try await APIWorld.with { world in
            let world = gated(world)
            for headers in [[], bearer("lull_wrong"), [("Authorization", "Basic eDp5")]] {
                let reply = await world.send("GET", "/v1/downloads", headers: headers)
                reply.expectProblem("unauthorized", status: 401)
                #expect(reply["WWW-Authenticate"] == "Bearer")
            }
            await #expect(world.send("GET", "/livez").status == 200)
            await #expect(world.send("GET", "/openapi.yaml").status == 200)
            await #expect(world.send("GET", "/problems/unauthorized").status == 200)
        }
    }

    @Test func appsSeeTheirOwnDownloadsOnly() async throws {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            for app in ["one", "two"] {
                _ = try await keys.create(app: app, digest: SHA256.digest(of: "lull_" + app))
            }
            let world = gated(world)
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://a.example/"}"#,
                headers: bearer("lull_one"))
            let path = try #require(made["Location"])
            await #expect(world.send("GET", path, headers: bearer("lull_one")).status == 200)
            for (method, end) in [
                ("GET", ""), ("GET", "/content"), ("POST", "/cancel"), ("DELETE", ""),
            ] {
                await world.send(method, path + end, headers: bearer("lull_two"))
                    .expectProblem("not-found", status: 404)
            }
            let list = await world.send("GET", "/v1/downloads", headers: bearer("lull_two"))
            #expect(list.json["data"] == [])
        }
    }

    @Test func theTokenOfAWakeStandsForAKey() async throws {
        try await APIWorld.with { world in
            let sent = try await world.wakeSession("a")
            let path = "/v1/wakes/" + (try #require(sent.first).token.text(.wake))
            let world = gated(world)
            // A wrong key does not matter there, and the token gives no right to anything else.
            for headers in [[], bearer("lull_wrong")] {
                let extended = await world.send(
                    "POST", path + "/extend", #"{"seconds":1}"#, headers: headers)
                #expect(extended.status == 200)
                for target in ["/v1/sessions/a", "/v1/wakes", "/v1/sessions"] {
                    await world.send("GET", target, headers: headers)
                        .expectProblem("unauthorized", status: 401)
                }
                for action in ["suspend", "foreground", "force_quit", "attach"] {
                    await world.send("POST", "/v1/sessions/a/" + action, headers: headers)
                        .expectProblem("unauthorized", status: 401)
                }
            }
            #expect(await world.send("POST", path + "/complete").status == 200)
            let other = Identifier(high: 1, low: 2).text(.wake)
            await world.send("POST", "/v1/wakes/\(other)/complete")
                .expectProblem("not-found", status: 404)
        }
    }

    @Test func anUnreachableDatabaseIs503AndNot401() async throws {
        let world = gated(try APIWorld.alone())
        let reply = await world.send("GET", "/v1/downloads", headers: bearer("lull_x"))
        reply.expectProblem("database-unavailable", status: 503)
        #expect(reply["Retry-After"] != nil && world.told.now.reports.count == 1)
    }
}
