// Downloads that have ended and are retried under a configuration that has changed since.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Testing

@testable import API

@Suite struct ReturnTests {
    private static let digest =
        #""expected_digest":"md5:\#(String(repeating: "0", count: 32))""#
    private static let date = #""earliest_begin_date":"2020-01-01T00:00:00Z""#

    /// Members that name a destination that is allowed at first and not later.
    private static let members: [String] = [
        #""url":"https://10.0.0.7/a""#,
        #""url":"https://a.example/","urls":["https://10.0.0.7/a"],\#(digest)"#,
        #""url":"https://a.example/","webhook_url":"https://10.0.0.7/hook""#,
        #""url":"https://a.example/",\#(date),"begin_hook":{"url":"https://10.0.0.7/ask"}"#,
        #""url":"https://a.example/","proxy":{"url":"http://10.0.0.7:3128"}"#,
        #""url":"https://a.example/","destination":{"name":"media"}"#,
    ]

    /// A service over the same database that was started with other settings.
    private func restarted(
        _ world: APIWorld, _ change: (inout Dependencies) throws -> Void
    ) rethrows -> APIWorld {
        var world = world
        var dependencies = world.dependencies
        try change(&dependencies)
        let router = Router(dependencies)
        world.handler = { router.answer($0) }
        return world
    }

    private func with(
        _ body: (_ generous: APIWorld, _ strict: APIWorld) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            let strict = try restarted(world) {
                $0.settings.proxyDestinations = try Destinations.parse("public")
            }
            let generous = try restarted(world) { dependencies in
                let all = try Destinations.parse("public,private")
                dependencies.settings.destinations = all
                dependencies.settings.webhookDestinations = all
                dependencies.settings.proxyDestinations = all
                dependencies.settings.folders = try AllowedPlaces.parse("media=/srv/media")
            }
            try await body(generous, strict)
        }
    }

    @Test(arguments: members)
    func aRetryIsRefusedLikeACreate(_ members: String) async throws {
        try await with { generous, strict in
            let made = await generous.send("POST", "/v1/downloads", "{\(members)}")
            let path = try #require(made["Location"], "\(made.text)")
            _ = await generous.send("POST", path + "/cancel")
            let created = await strict.send("POST", "/v1/downloads", "{\(members)}")
            let retried = await strict.send("POST", path + "/retry")
            #expect(created.status >= 400)
            for member in ["code", "detail", "errors", "host", "setting"] {
                #expect(retried.json[member] == created.json[member], "\(member)")
            }
            let bulk = await strict.send(
                "POST", "/v1/downloads/bulk",
                #"{"action":"retry","filter":{"state":["canceled"]}}"#)
            #expect(bulk.json == ["matched": 1, "changed": 0])
            await #expect(strict.send("GET", path).json["state"] == "canceled")
            await #expect(generous.send("POST", path + "/retry").status == 200)
        }
    }

    @Test func whatIsLiveIsNotHeldUpByARetry() async throws {
        try await with { generous, strict in
            let made = await generous.send("POST", "/v1/downloads", "{\(Self.members[0])}")
            let path = try #require(made["Location"])
            await #expect(strict.send("POST", path + "/retry").status == 200)
        }
    }

    @Test func aNewDownloadIsJudgedByTheReceiverOfItsSessionToo() async throws {
        try await with { generous, strict in
            let put = await generous.send(
                "PUT", "/v1/sessions/a", #"{"webhook_url":"https://10.0.0.7/hook"}"#)
            #expect(put.status == 201)
            let body = #"{"url":"https://a.example/","session":"a"}"#
            await #expect(generous.send("POST", "/v1/downloads", body).status == 201)
            let refused = await strict.send("POST", "/v1/downloads", body)
            refused.expectProblem("destination-not-allowed", status: 422)
            #expect(refused.pointers == ["#/webhook_url"])
        }
    }

    @Test(arguments: members)
    func aKeyThatMayNotReadIsNotToldWhere(_ members: String) async throws {
        try await with { generous, strict in
            let made = await generous.send("POST", "/v1/downloads", "{\(members)}")
            let path = try #require(made["Location"])
            _ = await generous.send("POST", path + "/cancel")
            var gated = strict
            let keys = APIKeys(pool: strict.pool)
            _ = try await keys.create(
                app: "default", digest: SHA256.digest(of: "w"), scopes: [.writeDownloads])
            let authenticator = KeyAuthenticator(strict.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            let reply = await gated.send(
                "POST", path + "/retry", headers: [("Authorization", "Bearer w")])
            #expect((400..<500).contains(reply.status) && reply.pointers.count == 1)
            #expect(!reply.text.contains("10.0.0.7"))
        }
    }
}
