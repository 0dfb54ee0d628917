// Headers and credentials for the receivers of a session.
import Base
import Crypto
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
}
