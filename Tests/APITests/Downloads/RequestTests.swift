// Secrets of requests: accepted, never returned, changed, and needed again after the end.
import API
import Base
import Crypto
import Downloads
import HTTPWire
import Postgres
import Store
import Testing

@Suite struct RequestTests {
    private static let members =
        #""headers":{"X-Api-Key":"s3cret-1"},"authorization":{"type":"bearer","token":"s3cret-2"}"#

    private static let url = "https://mirror.example/a.iso"

    private func opened(_ id: String, _ world: APIWorld) async throws -> RequestSecrets? {
        let id = try #require(Identifier(id, kind: .download))
        let sealed = try await world.dependencies.store.downloads.secrets(of: id)
        return sealed.flatMap {
            APIWorld.box.open($0, for: RequestSecrets.associatedData(of: id, app: 1))
        }
        .flatMap { BoundSecrets(plain: $0, of: Self.url)?.kept(for: Self.url) }
    }

    @Test func secretsAreSealedAndTheirNamesShown() async throws {
        try await APIWorld.with { world in
            let reply = await world.create(
                Self.members + #","method":"POST","body":"s3cret-3""#)
            #expect(reply.status == 201)
            let id = try #require(reply.json["id"]?.stringValue)
            let again = await world.send("GET", "/v1/downloads/\(id)")
            let events = await world.send("GET", "/v1/downloads/\(id)/events")
            for text in [reply.text, again.text, events.text] { #expect(!text.contains("s3cret")) }
            #expect(again.json["headers"] == ["X-Api-Key": "redacted"])
            #expect(again.json["authorization"] == ["type": "bearer"])
            #expect(again.json["method"] == "POST")
            #expect(again.json["body_bytes"] == 8)
            let secrets = try #require(await opened(id, world))
            #expect(secrets.headers == [HeaderField("X-Api-Key", "s3cret-1")])
            #expect(secrets.body == Array("s3cret-3".utf8))
            let plain = await world.create()
            #expect(plain.json["headers"] == [:])
            #expect(plain.json["authorization"] == .null)
        }
    }

    @Test func refusalsDoNotEchoSecrets() async throws {
        let world = try APIWorld.alone()
        let reply = await world.create(
            #""headers":{"Host":"s3cret","B":"s3cret\r"},"authorization":{"type":"s3cret"}"#)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == ["#/headers/Host", "#/headers/B", "#/authorization/type"])
        #expect(!reply.text.contains("s3cret"))
        let user = await world.send("POST", "/v1/downloads", #"{"url":"https://u:p@a.example/"}"#)
        #expect(user.text.contains("authorization"))
        let proxy = await world.create(#""proxy":{"url":"http://proxy.example:3128"}"#)
        proxy.expectProblem("proxy-not-allowed", status: 422)
        #expect(proxy.pointers == ["#/proxy/url"])
    }

    @Test func aPatchMergesHeadersAndReplacesAuthorization() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create(Self.members).json["id"]?.stringValue)
            let reply = await world.send(
                "PATCH", "/v1/downloads/\(id)",
                #"{"headers":{"B":"2"},"authorization":null,"task_description":"x"}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json["headers"] == ["X-Api-Key": "redacted", "B": "redacted"])
            #expect(reply.json["authorization"] == .null)
            #expect(reply.json["task_description"] == "x")
            let secrets = try #require(await opened(id, world))
            #expect(
                secrets.headers == [HeaderField("X-Api-Key", "s3cret-1"), HeaderField("B", "2")])
            #expect(secrets.authorization == nil)
            let none = await world.send("PATCH", "/v1/downloads/\(id)", #"{"headers":null}"#)
            #expect(none.json["headers"] == [:])
            #expect(try await opened(id, world) == nil)
            try await world.run(id, bytes: 1)
            await world.send("PATCH", "/v1/downloads/\(id)", #"{"headers":{"A":"1"}}"#)
                .expectProblem("invalid-state-transition", status: 409)
        }
    }

    @Test func retryAfterTheEndNeedsTheSecretsAgain() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create(Self.members).json["id"]?.stringValue)
            _ = await world.send("POST", "/v1/downloads/\(id)/cancel")
            #expect(try await opened(id, world) == nil)
            let bare = await world.send("POST", "/v1/downloads/\(id)/retry")
            bare.expectProblem("secrets-erased", status: 409)
            #expect(bare.pointers == ["#/headers", "#/authorization"])
            let half = await world.send(
                "POST", "/v1/downloads/\(id)/retry", #"{"headers":{"X-Api-Key":"new"}}"#)
            half.expectProblem("validation-failed", status: 422)
            #expect(half.pointers == ["#/authorization"])
            let whole = await world.send(
                "POST", "/v1/downloads/\(id)/retry",
                #"{"headers":{"X-Api-Key":"new"},"authorization":null}"#)
            #expect(whole.status == 200, "\(whole.text)")
            #expect(whole.json["state"] == "waiting")
            #expect(try await opened(id, world)?.headers == [HeaderField("X-Api-Key", "new")])
        }
    }

    @Test func newSecretsMakeANewSessionVersion() async throws {
        try await APIWorld.with { world in
            func put(_ value: String) async -> Reply {
                await world.send(
                    "PUT", "/v1/sessions/s",
                    "{\"http_additional_headers\":{\"X-Api-Key\":\"\(value)\"}}")
            }
            let first = await put("s3cret-1")
            #expect(first.status == 201)
            let shown = first.json["configuration"]
            #expect(shown?["http_additional_headers"] == ["X-Api-Key": "redacted"])
            #expect(shown?["tls"] == .null)
            #expect(await put("s3cret-1").json["version"] == 1)
            #expect(await put("s3cret-2").json["version"] == 2)
            let reply = await world.create(#""session":"s""#)
            #expect(reply.status == 201)
            let text =
                await world.send("GET", "/v1/sessions/s").text
                + world.send("GET", "/v1/sessions").text
            #expect(!text.contains("s3cret"))
            let rows = try await world.pool.query(
                "SELECT configuration::text FROM session_versions")
            for row in rows { #expect(try !row.get(0, as: String.self).contains("s3cret")) }
        }
    }

    @Test func acceptsARequestBodyOfOneMebibyte() async throws {
        try await APIWorld.with { world in
            let body = String(repeating: "QUJD", count: (1 << 20) / 3) + "QQ=="
            let reply = await world.create(#""method":"PUT","body_base64":"\#(body)""#)
            #expect(reply.status == 201)
            #expect(reply.json["body_bytes"] == .integer(1 << 20))
        }
    }

    @Test func anotherOriginNeedsTheSecretsAnew() async throws {
        try await APIWorld.with { world in
            let other = "https://other.example/b"
            func patch(_ id: String, _ body: String) async -> Reply {
                await world.send("PATCH", "/v1/downloads/\(id)", body)
            }
            func made(_ members: String = Self.members) async throws -> String {
                try #require(await world.create(members).json["id"]?.stringValue)
            }
            let first = try await made()
            let moved = await patch(first, #"{"url":"\#(other)"}"#)
            #expect(moved.status == 200, "\(moved.text)")
            #expect(moved.json["dropped"] == ["headers", "authorization"])
            #expect(moved.json["headers"] == [:] && moved.json["authorization"] == .null)
            #expect(try await opened(first, world) == nil, "nothing is kept for nobody")
            let again = await world.send("GET", "/v1/downloads/\(first)")
            #expect(again.json["dropped"] == nil)
            let second = try await made()
            let half = await patch(
                second, #"{"url":"\#(other)","authorization":{"type":"bearer","token":"n"}}"#)
            #expect(half.json["dropped"] == ["headers"])
            #expect(half.json["authorization"] == ["type": "bearer"])
            let third = try await made()
            for url in ["http://mirror.example/c", "https://mirror.example:443/d"] {
                let same = await patch(third, #"{"url":"\#(url)"}"#)
                #expect(same.status == 200 && same.json["dropped"] == [])
            }
            #expect(try await opened(third, world)?.headers.count == 1)
            let post = try await made(#""method":"POST","body":"s3cret""#)
            let refused = await patch(post, #"{"url":"\#(other)"}"#)
            refused.expectProblem("validation-failed", status: 422)
            #expect(refused.pointers == ["#/body"])
            let given = await patch(post, #"{"url":"\#(other)","body":"new"}"#)
            #expect(given.status == 200 && given.json["dropped"] == [])
            // After the end, too: secrets are erased then, and a retry asks only for secrets that
            // were not dropped.
            let fourth = try await made()
            _ = await world.send("POST", "/v1/downloads/\(fourth)/cancel")
            let ended = await patch(fourth, #"{"url":"\#(other)"}"#)
            #expect(ended.json["dropped"] == ["headers", "authorization"])
            let retried = await world.send("POST", "/v1/downloads/\(fourth)/retry")
            #expect(retried.status == 200 && retried.json["dropped"] == [], "\(retried.text)")
        }
    }
}
