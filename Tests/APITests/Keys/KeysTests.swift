// Keys made, listed, changed and revoked over the API.
import Base
import Crypto
import Downloads
import Postgres
import Store
import Synchronization
import Testing

@testable import API

/// The changes of keys that a service has logged.
private final class KeyLog: Sendable {
    private let kept = Mutex<[KeyChange]>([])

    var all: [KeyChange] { kept.withLock { $0 } }

    func note(_ change: KeyChange) { kept.withLock { $0.append(change) } }
}

@Suite struct KeysTests {
    private static let merge = ("Content-Type", "application/merge-patch+json")
    private static let root = ("Authorization", "Bearer root")

    /// A service with keys, of which `root` is the only one with `admin`.
    private func gated(_ world: APIWorld, _ log: KeyLog = KeyLog()) async throws -> APIWorld {
        let keys = APIKeys(pool: world.pool)
        _ = try await keys.create(
            app: "default", digest: SHA256.digest(of: "root"), scopes: [.admin])
        var dependencies = world.dependencies
        dependencies.keyChanged = { log.note($0) }
        // Without memory a change holds at once.
        let authenticator = KeyAuthenticator(dependencies, keys: keys, interval: .zero)
        var gated = world
        gated.handler = { authenticator.answer($0) }
        return gated
    }

    private func make(_ world: APIWorld, _ body: String) async -> Reply {
        await world.send("POST", "/v1/keys", body, headers: [Self.root])
    }

    @Test func aKeyIsShownOnceAndOpensWhatItsScopesSay() async throws {
        try await APIWorld.with { world in
            let log = KeyLog()
            let world = try await gated(world, log)
            let made = await make(
                world, #"{"app":"media","scopes":["downloads:read"],"limits":{"queued":7}}"#)
            #expect(made.status == 201 && made["Cache-Control"] == "no-store", "\(made.text)")
            let text = try #require(made.json["key"]?.stringValue)
            #expect(text.count == 69 && text.hasPrefix("lull_"))
            let bearer = ("Authorization", "Bearer " + text)
            #expect(await world.send("GET", "/v1/downloads", headers: [bearer]).status == 200)
            let rights = await world.send("GET", "/v1/key", headers: [bearer]).json
            #expect(rights["app"] == "media" && rights["limits"]?["queued"] == 7)
            await world.send(
                "POST", "/v1/downloads", #"{"url":"https://mirror.example/a"}"#, headers: [bearer]
            ).expectProblem("insufficient-scope", status: 403)
            await world.send("GET", "/v1/keys", headers: [bearer])
                .expectProblem("insufficient-scope", status: 403)
            let list = await world.send("GET", "/v1/keys", headers: [Self.root])
            #expect(!list.text.contains(text) && !list.text.contains(String(text.suffix(64))))
            #expect(list.json["data"]?[0]?["id"] == made.json["id"])
            #expect(list.json["data"]?[0]?["limits"] == made.json["limits"])
            let change = try #require(log.all.first)
            #expect(log.all.count == 1 && change.kind == .created && change.by == 1)
            #expect(change.app == "media" && change.requestID == made["X-Request-Id"])
        }
    }

    @Test func withoutScopesAKeyHasTheUsualOnes() async throws {
        try await APIWorld.with { world in
            let world = try await gated(world)
            for body in [#"{"app":"a"}"#, #"{"app":"a","scopes":null,"limits":null}"#] {
                let made = await make(world, body)
                let names = made.json["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
                #expect(Set(names.compactMap { KeyScope(rawValue: $0) }) == KeyScope.standard)
            }
        }
    }

    @Test(arguments: [
        ("{}", "#/app"), (#"{"app":null}"#, "#/app"), (#"{"app":""}"#, "#/app"),
        (#"{"app":"a b"}"#, "#/app"), (#"{"app":7}"#, "#/app"),
        (#"{"app":"a","scopes":[]}"#, "#/scopes"),
        (#"{"app":"a","scopes":["all"]}"#, "#/scopes/0"),
        (#"{"app":"a","limits":{"queued":-1}}"#, "#/limits/queued"),
        (#"{"app":"a","limits":{"running":10001}}"#, "#/limits/running"),
        (#"{"app":"a","limits":{"requests_per_second":0}}"#, "#/limits/requests_per_second"),
        (#"{"app":"a","limits":{"bytes":1}}"#, "#/limits/bytes"),
        (#"{"app":"a","limits":7}"#, "#/limits"), (#"{"app":"a","key":"mine"}"#, "#/key"),
    ])
    func aWrongDocumentMakesNoKey(_ body: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let log = KeyLog()
            let world = try await gated(world, log)
            let reply = await make(world, body)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer], "\(reply.text)")
            let keys = try await APIKeys(pool: world.pool).list()
            #expect(keys.count == 1 && log.all.isEmpty)
        }
    }

    @Test func aPatchChangesScopesAndTheLimitsThatItNames() async throws {
        try await APIWorld.with { world in
            let world = try await gated(world)
            let made = await make(
                world, #"{"app":"a","limits":{"queued":7,"running":2,"staged_bytes":9}}"#)
            let path = "/v1/keys/" + (made.json["id"]?.stringValue ?? "")
            let headers = [Self.root, Self.merge]
            func patch(_ body: String) async -> JSON {
                await world.send("PATCH", path, body, headers: headers).json
            }
            let limited = await patch(#"{"limits":{"queued":null,"requests_per_second":2.5}}"#)
            let limits: JSON = [
                "requests_per_second": 2.5, "queued": nil, "running": 2, "staged_bytes": 9,
            ]
            #expect(limited["limits"] == limits && limited["scopes"] == made.json["scopes"])
            #expect(await patch("{}")["limits"] == limits)
            let scoped = await patch(#"{"scopes":["webhooks"]}"#)
            #expect(scoped["scopes"] == ["webhooks"] && scoped["limits"] == limits)
            let free: JSON = [
                "requests_per_second": nil, "queued": nil, "running": nil, "staged_bytes": nil,
            ]
            #expect(await patch(#"{"limits":null}"#)["limits"] == free)
            for body in [#"{"scopes":null}"#, #"{"app":"b"}"#, #"{"key":"x"}"#] {
                let reply = await world.send("PATCH", path, body, headers: headers)
                #expect(reply.status == 422, "\(body)")
            }
        }
    }

    @Test func aRevokedKeyOpensNothingAndStaysInTheList() async throws {
        try await APIWorld.with { world in
            let log = KeyLog()
            let world = try await gated(world, log)
            let made = await make(world, #"{"app":"a"}"#)
            let path = "/v1/keys/" + (made.json["id"]?.stringValue ?? "")
            #expect(await world.send("DELETE", path, headers: [Self.root]).status == 204)
            let bearer = ("Authorization", "Bearer " + (made.json["key"]?.stringValue ?? ""))
            await world.send("GET", "/v1/downloads", headers: [bearer])
                .expectProblem("unauthorized", status: 401)
            let list = await world.send("GET", "/v1/keys?app=a", headers: [Self.root])
            #expect(list.json["data"]?[0]?["revoked_at"]?.stringValue != nil)
            for (method, body) in [("DELETE", nil), ("PATCH", "{}")] {
                for path in [path, "/v1/keys/99", "/v1/keys/x", "/v1/keys/01", "/v1/keys/-1"] {
                    let headers = body == nil ? [Self.root] : [Self.root, Self.merge]
                    await world.send(method, path, body, headers: headers)
                        .expectProblem("not-found", status: 404)
                }
            }
            #expect(log.all.map(\.kind) == [.created, .revoked])
        }
    }

    @Test func theLastKeyWithAdminGoesOnlyIfThatIsSaid() async throws {
        try await APIWorld.with { world in
            let world = try await gated(world)
            let headers = [Self.root, Self.merge]
            let drop = #"{"scopes":["downloads:read"]}"#
            await world.send("DELETE", "/v1/keys/1", headers: [Self.root])
                .expectProblem("last-admin-key", status: 409)
            await world.send("PATCH", "/v1/keys/1", drop, headers: headers)
                .expectProblem("last-admin-key", status: 409)
            await world.send("DELETE", "/v1/keys/1?last=false", headers: [Self.root])
                .expectProblem("last-admin-key", status: 409)
            // Limits and further scopes are no loss of it.
            let more = #"{"scopes":["admin","webhooks"],"limits":{"queued":9}}"#
            #expect(await world.send("PATCH", "/v1/keys/1", more, headers: headers).status == 200)
            // A second one that is revoked does not count.
            let second = await make(world, #"{"app":"a","scopes":["admin"]}"#)
            let path = "/v1/keys/" + (second.json["id"]?.stringValue ?? "")
            #expect(await world.send("DELETE", path, headers: [Self.root]).status == 204)
            await world.send("DELETE", "/v1/keys/1", headers: [Self.root])
                .expectProblem("last-admin-key", status: 409)
            #expect(
                await world.send("DELETE", "/v1/keys/1?last=true", headers: [Self.root]).status
                    == 204)
        }
    }

    /// Two keys with `admin` that revoke each other at the same time: one of them stays.
    @Test func ofTwoThatRevokeEachOtherOneStays() async throws {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            for round in 0..<8 {
                let one = try await keys.create(
                    app: "a", digest: SHA256.digest(of: "a\(round)"), scopes: [.admin])
                let two = try await keys.create(
                    app: "a", digest: SHA256.digest(of: "b\(round)"), scopes: [.admin])
                async let first = world.send("DELETE", "/v1/keys/\(one)").status
                async let second = world.send("DELETE", "/v1/keys/\(two)").status
                let statuses = await [first, second].sorted()
                #expect(statuses == [204, 409])
                let left = try await keys.list().filter { $0.revokedAt == nil }
                #expect(left.count == 1)
                for key in left { _ = try await keys.revoke(key.number) }
            }
        }
    }

    @Test func pagesHaveEachKeyOnce() async throws {
        try await APIWorld.with { world in
            for number in 0..<7 {
                _ = await world.send("POST", "/v1/keys", #"{"app":"app\#(number % 2)"}"#)
            }
            var seen: [String] = []
            var cursor = ""
            for _ in 0..<9 {
                let page = await world.send("GET", "/v1/keys?limit=2" + cursor).json
                seen += page["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
                guard let next = page["next_cursor"]?.stringValue else { break }
                cursor = "&cursor=" + next
            }
            #expect(seen == ["7", "6", "5", "4", "3", "2", "1"])
            let some = await world.send("GET", "/v1/keys?app=app1").json
            #expect(some["data"]?.arrayValue?.map { $0["app"] } == ["app1", "app1", "app1"])
            #expect(await world.send("GET", "/v1/keys?cursor=x").status == 422)
        }
    }
}
