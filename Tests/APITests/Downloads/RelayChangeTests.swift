// Changes of the receiver of a finished file: patches, retries, and the right to have files sent.
import Base
import Crypto
import Downloads
import Store
import Testing

@testable import API

@Suite struct RelayChangeTests {
    private static let whole = #"""
        "destination":{"url":"https://store.example/in","method":"POST","headers":{"X-Key":"k3y"},
        "authorization":{"type":"bearer","token":"t0ken"},
        "hook":{"url":"https://sign.example/ask","headers":{"X-Sign":"s1gn"}}}
        """#

    private static func made(_ world: APIWorld, _ members: String = whole) async throws -> String {
        let reply = await world.create(members)
        return "/v1/downloads/" + (try #require(reply.json["id"]?.stringValue, "\(reply.text)"))
    }

    private static func relay(_ world: APIWorld, _ path: String) async throws -> BoundSecrets? {
        let name = try #require(Identifier(String(path.suffix(29)), kind: .download))
        let sealed = try await world.dependencies.store.downloads.secrets(of: name)
        return sealed.flatMap {
            APIWorld.box.open($0, for: RequestSecrets.associatedData(of: name, app: 1))
        }.flatMap { BoundSecrets(plain: $0, of: "https://mirror.example/") }?.relay
    }

    private static func sent(_ secrets: BoundSecrets?, to url: String) throws -> [String] {
        let url = try SourceURL(parsing: url)
        return secrets?.outgoing.sent(to: url).headers.map { "\($0.name): \($0.value)" } ?? []
    }

    /// A patch of `destination`, the members that it drops, and what is shown afterwards.
    private struct Case: Sendable {
        let patch: String
        var dropped: [JSON] = []
        var url: JSON = "https://store.example/in"
        var method: JSON = "POST"
        var headers: [String] = ["X-Key"]
        var hook: [String] = ["X-Sign"]
    }

    private static let cases = [
        Case(patch: #"{"url":"https://store.example/b?x"}"#, url: "https://store.example/b"),
        Case(patch: #"{"method":null}"#, method: "PUT"),
        Case(patch: #"{"headers":{"X-Two":"2"}}"#, headers: ["X-Key", "X-Two"]),
        Case(patch: #"{"headers":{"X-Key":null}}"#, headers: []),
        Case(
            patch: #"{"url":"https://other.example/"}"#,
            dropped: ["destination/headers", "destination/authorization"],
            url: "https://other.example/", headers: []),
        Case(
            patch:
                #"{"url":"https://other.example/","headers":{"X-Key":"n"},"authorization":null}"#,
            url: "https://other.example/"),
        Case(
            patch: #"{"hook":{"url":"https://h.example/"}}"#, dropped: ["destination/hook/headers"],
            hook: []),
        Case(patch: #"{"hook":null}"#, dropped: ["destination/hook/headers"], hook: []),
        Case(patch: #"{"hook":{"headers":{"X-Two":"2"}}}"#, hook: ["X-Sign", "X-Two"]),
    ]

    @Test func aPatchKeepsSecretsForOneOriginAndNamesThoseThatItDrops() async throws {
        try await APIWorld.with { world in
            for one in Self.cases {
                let path = try await Self.made(world)
                let reply = await world.send("PATCH", path, #"{"destination":\#(one.patch)}"#)
                #expect(reply.status == 200, "\(one.patch): \(reply.text)")
                let shown = reply.json["destination"]
                #expect(reply.json["dropped"] == .array(one.dropped), "\(one.patch)")
                #expect(shown?["url"] == one.url && shown?["method"] == one.method)
                let names = shown?["headers"]?.objectValue?.members.map(\.key)
                #expect(names == one.headers, "\(one.patch): \(reply.text)")
                let hook = shown?["hook"]?["headers"]?.objectValue?.members.map(\.key)
                #expect(hook ?? [] == one.hook, "\(one.patch): \(reply.text)")
                let secrets = try await Self.relay(world, path)
                let url = try #require(one.url.stringValue)
                let fields = try Self.sent(secrets, to: url)
                #expect(fields.count { $0.hasPrefix("X-") } == one.headers.count, "\(fields)")
                #expect(!fields.contains("X-Key: k3y") || url.hasPrefix("https://store."))
            }
        }
    }

    @Test func aPatchMayTurnAFolderIntoAReceiverAndBack() async throws {
        try await APIWorld.with { world in
            var world = world
            var dependencies = world.dependencies
            dependencies.settings.folders = try AllowedPlaces.parse("media=/srv/media")
            let router = Router(dependencies)
            world.handler = { router.answer($0) }
            let path = try await Self.made(
                world, #""destination":{"name":"media","path":"a","on_conflict":"replace"}"#)
            let sent = await world.send(
                "PATCH", path, #"{"destination":{"url":"https://store.example/"}}"#)
            #expect(sent.status == 200, "\(sent.text)")
            #expect(sent.json["destination"]?["url"] == "https://store.example/")
            #expect(sent.json["destination"]?["name"] == nil)
            _ = await world.send(
                "PATCH", path, #"{"destination":{"headers":{"X":"1"}}}"#)
            let kept = await world.send("PATCH", path, #"{"destination":{"name":"media"}}"#)
            #expect(kept.status == 200, "\(kept.text)")
            #expect(
                kept.json["destination"] == [
                    "name": "media", "path": nil, "on_conflict": "fail",
                ])
            #expect(kept.json["dropped"] == ["destination/headers"])
            #expect(try await Self.relay(world, path) == nil)
            let none = await world.send("PATCH", path, #"{"destination":null}"#)
            #expect(none.json["destination"]?.isNull == true)
            let both = await world.send(
                "PATCH", path, #"{"destination":{"name":"media","url":"https://s.example/"}}"#)
            #expect(both.status == 422 && both.pointers == ["#/destination"])
        }
    }

    @Test func aPatchOfOtherMembersKeepsTheReceiverAndItsSecrets() async throws {
        try await APIWorld.with { world in
            let path = try await Self.made(world)
            let before = try await Self.relay(world, path)
            for patch in [
                #"{"priority":1}"#, #"{"url":"https://elsewhere.example/"}"#,
                #"{"headers":{"A":"b"}}"#,
            ] {
                let reply = await world.send("PATCH", path, patch)
                #expect(reply.status == 200 && reply.json["dropped"] == [], "\(reply.text)")
                #expect(try await Self.relay(world, path) == before && before != nil, "\(patch)")
            }
        }
    }

    @Test func aRetryAfterTheEndNeedsTheSecretsOfTheReceiverAgain() async throws {
        try await APIWorld.with { world in
            let path = try await Self.made(world)
            _ = await world.send("POST", path + "/cancel")
            let bare = await world.send("POST", path + "/retry")
            bare.expectProblem("secrets-erased", status: 409)
            let names = [
                "#/destination/headers", "#/destination/authorization",
                "#/destination/hook/headers",
            ]
            #expect(bare.pointers == names)
            let half = await world.send(
                "POST", path + "/retry", #"{"destination":{"headers":{"X-Key":"new"}}}"#)
            half.expectProblem("validation-failed", status: 422)
            #expect(half.pointers == Array(names[1...]))
            let unknown = await world.send(
                "POST", path + "/retry", #"{"destination":{"url":"https://s.example/"}}"#)
            #expect(unknown.pointers == ["#/destination/url"])
            let whole = await world.send(
                "POST", path + "/retry",
                #"{"destination":{"headers":{"X-Key":"new"},"authorization":null,"#
                    + #""hook":{"headers":null}}}"#)
            #expect(whole.status == 200, "\(whole.text)")
            let secrets = try await Self.relay(world, path)
            #expect(try Self.sent(secrets, to: "https://store.example/") == ["X-Key: new"])
        }
    }

    /// The service with a key that may write downloads, and one that may have files sent, too.
    private static func keyed(
        _ body: (APIWorld, _ writes: [(String, String)], _ sends: [(String, String)]) async throws
            -> Void
    ) async throws {
        try await APIWorld.with { world in
            let keys = APIKeys(pool: world.pool)
            for (name, scopes) in [
                ("w", [.writeDownloads]), ("s", [.writeDownloads, .readDownloads, .writeUploads]),
            ] as [(String, Set<KeyScope>)] {
                _ = try await keys.create(
                    app: "default", digest: SHA256.digest(of: name), scopes: scopes)
            }
            var gated = world
            let authenticator = KeyAuthenticator(world.dependencies, keys: keys)
            gated.handler = { authenticator.answer($0) }
            try await body(
                gated, [("Authorization", "Bearer w")], [("Authorization", "Bearer s")])
        }
    }

    private static func expectMissing(
        _ reply: Reply, at location: SourceLocation = #_sourceLocation
    ) {
        reply.expectProblem("insufficient-scope", status: 403, at: location)
        #expect(
            reply["WWW-Authenticate"]?.contains("scope=\"uploads:write\"") == true,
            sourceLocation: location)
        #expect(
            reply.json["detail"]?.stringValue?.contains("uploads:write") == true,
            sourceLocation: location)
    }

    @Test func whateverMakesOrKeepsAReceiverNeedsTheScope() async throws {
        try await Self.keyed { world, writes, sends in
            let destination = #""destination":{"url":"https://store.example/"}"#
            let document = #"{"url":"https://a.example/",\#(destination)}"#
            let batch = #"{"downloads":[{"url":"https://a.example/"},\#(document)]}"#
            let session = "{\(destination)}"
            for (method, path, body) in [
                ("POST", "/v1/downloads", document),
                ("POST", "/v1/downloads?dry_run=true", document),
                ("POST", "/v1/downloads/batch", batch), ("PUT", "/v1/sessions/sending", session),
            ] {
                let refused = await world.send(method, path, body, headers: writes)
                Self.expectMissing(refused)
                let reply = await world.send(method, path, body, headers: sends)
                #expect((200..<300).contains(reply.status), "\(path): \(reply.text)")
            }
            // A session's receiver is that of its downloads.
            let ofSession = #"{"url":"https://a.example/","session":"sending"}"#
            Self.expectMissing(
                await world.send("POST", "/v1/downloads", ofSession, headers: writes))
            let declined = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://a.example/","session":"sending","destination":null}"#,
                headers: writes)
            #expect(declined.status == 201, "\(declined.text)")
            let changes = #"{"max_running":3}"#
            Self.expectMissing(
                await world.send("PATCH", "/v1/sessions/sending", changes, headers: writes))
            await #expect(
                world.send("PATCH", "/v1/sessions/sending", changes, headers: sends).status == 200)
        }
    }

    @Test func aReceiverThatExistsMayBeHeldBackAndTakenAwayWithoutTheScope() async throws {
        try await Self.keyed { world, writes, sends in
            let made = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://a.example/","destination":{"url":"https://store.example/"}}"#,
                headers: sends)
            let path = try #require(made["Location"])
            let patch = #"{"destination":{"url":"https://other.example/"}}"#
            Self.expectMissing(await world.send("PATCH", path, patch, headers: writes))
            Self.expectMissing(
                await world.send("PATCH", path, #"{"priority":1}"#, headers: writes))
            for action in ["suspend", "resume", "cancel"] {
                let reply = await world.send("POST", "\(path)/\(action)", headers: writes)
                #expect(reply.status == 200, "\(action): \(reply.text)")
            }
            Self.expectMissing(await world.send("POST", path + "/retry", headers: writes))
            let bulk = #"{"action":"retry","filter":{"session":"default"}}"#
            await #expect(
                world.send("POST", "/v1/downloads/bulk", bulk, headers: writes).status == 200)
            await #expect(
                world.send("GET", path, headers: sends).json["state"] == "canceled")
            let retried = await world.send("POST", "/v1/downloads/bulk", bulk, headers: sends)
            #expect(retried.json == ["matched": 1, "changed": 1])
            let removed = await world.send(
                "PATCH", path, #"{"destination":null}"#, headers: writes)
            #expect(removed.status == 200, "\(removed.text)")
            await #expect(
                world.send("PATCH", path, #"{"priority":1}"#, headers: writes).status == 200)
        }
    }
}
