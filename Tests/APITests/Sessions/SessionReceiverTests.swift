// Headers and credentials for the receivers of a session.
import Base
import Crypto
import Downloads
import Store
import Testing

@testable import API

@Suite struct SessionReceiverTests {
    private static let path = "/v1/sessions/nightly"
    private static let body = #"""
        {"webhook_url":"https://hooks.example/a","webhook_headers":{"X-Key":"k3y"},
         "webhook_authorization":{"type":"bearer","token":"t0ken"},
         "begin_hook":{"url":"https://sign.example/","headers":{"X-Sign":"s1gn"}}}
        """#

    @Test func namesAreShownAndTheSameConfigurationIsTheSameVersion() async throws {
        try await APIWorld.with { world in
            let made = await world.send("PUT", Self.path, Self.body)
            #expect(made.status == 201, "\(made.text)")
            for value in ["k3y", "t0ken", "s1gn"] { #expect(!made.text.contains(value)) }
            let shown = made.json["configuration"]
            #expect(shown?["webhook_headers"] == ["X-Key": "redacted"])
            #expect(shown?["webhook_authorization"] == ["type": "bearer"])
            #expect(shown?["begin_hook"]?["headers"] == ["X-Sign": "redacted"])
            #expect(shown?["begin_hook"]?["authorization"]?.isNull == true)
            let again = await world.send("PUT", Self.path, Self.body)
            #expect(again.status == 200 && again.json["version"] == 1)
            let other = await world.send(
                "PUT", Self.path, Self.body.replacing("k3y", with: "another"))
            #expect(other.json["version"] == 2)
            let none = await world.send(
                "PUT", Self.path, #"{"webhook_url":"https://hooks.example/a"}"#)
            #expect(none.json["configuration"]?["webhook_headers"] == [:])
        }
    }

    private static let patches: [(String, dropped: [JSON]?, webhook: [String], hook: [String])] = [
        (#"{"max_running":3}"#, nil, ["X-Key"], ["X-Sign"]),
        (#"{"webhook_headers":{"X-More":"1"}}"#, nil, ["X-Key", "X-More"], ["X-Sign"]),
        (#"{"webhook_headers":{"X-Key":null}}"#, nil, [], ["X-Sign"]),
        (#"{"webhook_url":"https://hooks.example/b"}"#, nil, ["X-Key"], ["X-Sign"]),
        (
            #"{"webhook_url":"https://other.example/"}"#,
            ["webhook_headers", "webhook_authorization"], [], ["X-Sign"]
        ),
        (
            #"{"webhook_url":null}"#, ["webhook_headers", "webhook_authorization"], [],
            ["X-Sign"]
        ),
        (
            #"{"webhook_url":"https://other.example/","webhook_headers":{"X-Key":"n"}}"#,
            ["webhook_authorization"], ["X-Key"], ["X-Sign"]
        ),
        (#"{"begin_hook":{"timeout_seconds":5}}"#, nil, ["X-Key"], ["X-Sign"]),
        (
            #"{"begin_hook":{"url":"https://other.example/"}}"#, ["begin_hook/headers"],
            ["X-Key"], []
        ),
        (#"{"begin_hook":{"headers":{"X-Two":"2"}}}"#, nil, ["X-Key"], ["X-Sign", "X-Two"]),
        (#"{"begin_hook":null}"#, ["begin_hook/headers"], ["X-Key"], []),
        (#"{"http_additional_headers":{"X-Own":"1"}}"#, nil, ["X-Key"], ["X-Sign"]),
    ]

    @Test(arguments: patches)
    func aPatchKeepsThemForOneOrigin(
        _ patch: String, _ dropped: [JSON]?, _ webhook: [String], _ hook: [String]
    ) async throws {
        try await APIWorld.with { world in
            await #expect(world.send("PUT", Self.path, Self.body).status == 201)
            let reply = await world.send("PATCH", Self.path, patch)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json["dropped"]?.arrayValue == dropped)
            let shown = reply.json["configuration"]
            #expect(shown?["webhook_headers"]?.objectValue?.members.map(\.key) == webhook)
            let names = shown?["begin_hook"]?["headers"]?.objectValue?.members.map(\.key)
            #expect(names ?? [] == hook)
        }
    }

    private static let refused: [(String, String)] = [
        (#"{"webhook_headers":{"X":"1"}}"#, "#/webhook_headers"),
        (
            #"{"webhook_url":"https://h.example/","webhook_headers":{"webhook-id":"1"}}"#,
            "#/webhook_headers"
        ),
        (
            #"{"webhook_url":"https://h.example/","webhook_authorization":{"type":"x"}}"#,
            "#/webhook_authorization/type"
        ),
        (
            #"{"begin_hook":{"url":"https://h.example/","headers":{"Host":"1"}}}"#,
            "#/begin_hook/headers/Host"
        ),
    ]

    @Test(arguments: refused)
    func refusalsNameThePlace(_ body: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let reply = await world.send("PUT", Self.path, body)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer], "\(reply.text)")
        }
    }

    private static let receiver = #"""
        {"destination":{"url":"https://store.example/in?sig=s1gned","method":"POST",
        "headers":{"X-Key":"k3y"},"authorization":{"type":"bearer","token":"t0ken"},
        "hook":{"url":"https://sign.example/","headers":{"X-Sign":"s1gn"}}}}
        """#

    @Test func theReceiverOfFilesIsThatOfItsDownloads() async throws {
        try await APIWorld.with { world in
            let made = await world.send("PUT", Self.path, Self.receiver)
            #expect(made.status == 201, "\(made.text)")
            for value in ["k3y", "t0ken", "s1gn\"", "s1gned"] {
                #expect(!made.text.contains(value))
            }
            let shown = made.json["configuration"]?["destination"]
            #expect(shown?["url"] == "https://store.example/in" && shown?["method"] == "POST")
            #expect(shown?["headers"] == ["X-Key": "redacted"])
            #expect(shown?["authorization"] == ["type": "bearer"])
            #expect(shown?["hook"]?["headers"] == ["X-Sign": "redacted"])
            #expect(made.json["effective"]?["destination"] == shown)
            let download = await world.create(#""session":"nightly""#)
            #expect(download.json["destination"]?["url"] == "https://store.example/in")
            // The values stay with the session.
            #expect(download.json["destination"]?["headers"] == [:])
            let other = await world.create(
                #""session":"nightly","destination":{"url":"https://other.example/"}"#)
            #expect(other.json["destination"]?["url"] == "https://other.example/")
            #expect(other.json["destination"]?["method"] == "PUT")
            let none = await world.create(#""session":"nightly","destination":null"#)
            #expect(none.status == 201 && none.json["destination"]?.isNull == true)
            let joined = await world.create(#""session":"nightly","on_duplicate_url":"join""#)
            #expect(joined.status == 422 && joined.pointers == ["#/on_duplicate_url"])
            let folder = await world.send("PUT", Self.path, #"{"destination":{"name":"media"}}"#)
            #expect(folder.status == 422 && folder.pointers == ["#/destination"])
        }
    }

    private static let receiverPatches: [(String, dropped: [JSON]?, url: String?, [String])] = [
        (#"{"max_running":3}"#, nil, "https://store.example/in", ["X-Key"]),
        (
            #"{"destination":{"url":"https://store.example/b"}}"#, nil, "https://store.example/b",
            ["X-Key"]
        ),
        (
            #"{"destination":{"headers":{"X-Two":"2"}}}"#, nil, "https://store.example/in",
            ["X-Key", "X-Two"]
        ),
        (
            #"{"destination":{"url":"https://other.example/"}}"#,
            ["destination/headers", "destination/authorization"], "https://other.example/", []
        ),
        (
            #"{"destination":null}"#,
            [
                "destination/headers", "destination/authorization", "destination/hook/headers",
            ], nil, []
        ),
    ]

    @Test(arguments: receiverPatches)
    func aPatchOfTheReceiverKeepsSecretsForOneOrigin(
        _ patch: String, _ dropped: [JSON]?, _ url: String?, _ names: [String]
    ) async throws {
        try await APIWorld.with { world in
            await #expect(world.send("PUT", Self.path, Self.receiver).status == 201)
            let reply = await world.send("PATCH", Self.path, patch)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json["dropped"]?.arrayValue == dropped)
            let shown = reply.json["configuration"]?["destination"]
            #expect(shown?["url"]?.stringValue == url)
            #expect(shown?["headers"]?.objectValue?.members.map(\.key) ?? [] == names)
            let downloads = world.dependencies.store
            let record = try #require(
                try await downloads.sessions.find(app: 1, identifier: "nightly"))
            let sealed = try await downloads.sessions.secrets(
                of: record.key, version: record.version)
            let data = SessionSecrets.associatedData(app: 1, session: "nightly")
            let secrets = sealed.flatMap { APIWorld.box.open($0, for: data) }
                .flatMap { BoundSessionSecrets(plain: $0) }
            let fields = try secrets?.relay?.outgoing.sent(
                to: SourceURL(parsing: url ?? "https://store.example/")
            ).headers.map(\.name)
            #expect((fields ?? []).filter { $0.hasPrefix("X-") } == names)
        }
    }
}
