// Destinations that are object stores, as requests give them.
import Base
import Testing

@testable import API
@testable import Downloads

@Suite struct StoreDestinationTests {
    private static let places =
        "media=/srv/media,cold=s3://bucket/pre?endpoint=http://127.0.0.1:9,"
        + "own@other=s3://bucket?endpoint=http://127.0.0.1:9"

    private static func with(_ test: (APIWorld) async throws -> Void) async throws {
        try await APIWorld.with { world in
            var world = world
            var dependencies = world.dependencies
            dependencies.settings.folders = try AllowedPlaces.parse(places)
            let router = Router(dependencies)
            world.handler = { router.answer($0) }
            try await test(world)
        }
    }

    private static func create(_ destination: String) -> String {
        #"{"url":"https://files.example/a","destination":\#(destination)}"#
    }

    @Test func aStoreIsADestinationThatShowsNoEndpoint() async throws {
        try await Self.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads", Self.create(#"{"name":"cold","path":"a","keep":false}"#))
            #expect(reply.status == 201, "\(reply.text)")
            #expect(
                reply.json["destination"] == [
                    "name": "cold", "path": "a", "on_conflict": "fail", "keep": false,
                ])
            #expect(reply.json["direction"] == "receive")
            #expect(!reply.text.contains("127.0.0.1"))
        }
    }

    @Test(arguments: [
        (#"{"name":"warm"}"#, "#/destination/name"),
        (#"{"name":"own"}"#, "#/destination/name"),
        (#"{"name":"media","keep":true}"#, "#/destination/keep"),
        (#"{"name":"cold","keep":1}"#, "#/destination/keep"),
        (#"{"name":"cold","store":"http://127.0.0.1:9"}"#, "#/destination/store"),
        (
            "{\"name\":\"cold\",\"path\":\""
                + [String](
                    repeating: String(repeating: "k", count: 204), count: 5
                ).joined(separator: "/") + "\"}", "#/destination/path"
        ),
    ])
    func aBadDestinationIsRefused(_ destination: String, _ pointer: String) async throws {
        try await Self.with { world in
            let reply = await world.send("POST", "/v1/downloads", Self.create(destination))
            #expect(reply.status == 422 && reply.pointers == [pointer], "\(reply.text)")
            let made = await world.send(
                "POST", "/v1/downloads", #"{"url":"https://files.example/a","suspended":true}"#)
            let id = try #require(made.json["id"]?.stringValue)
            let patch = await world.send(
                "PATCH", "/v1/downloads/\(id)", #"{"destination":\#(destination)}"#)
            #expect(patch.status == 422 && patch.pointers == [pointer], "\(patch.text)")
        }
    }

    @Test func aPatchTurnsAFolderIntoAStoreAndBack() async throws {
        try await Self.with { world in
            let made = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://files.example/a","suspended":true,"#
                    + #""destination":{"name":"media","path":"a"}}"#)
            let path = "/v1/downloads/" + (try #require(made.json["id"]?.stringValue))
            #expect(made.json["direction"]?.isNull == true)
            let store = await world.send(
                "PATCH", path, #"{"destination":{"name":"cold","keep":false}}"#)
            #expect(store.status == 200 && store.json["direction"] == "receive", "\(store.text)")
            #expect(store.json["destination"]?["path"] == "a")
            let folder = await world.send(
                "PATCH", path, #"{"destination":{"name":"media","keep":null}}"#)
            #expect(folder.status == 200 && folder.json["direction"]?.isNull == true)
        }
    }

    @Test func aStoreSharesNoTransfer() async throws {
        try await Self.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://files.example/a","on_duplicate_url":"join","#
                    + #""destination":{"name":"cold"}}"#)
            #expect(reply.status == 422, "\(reply.text)")
        }
    }
}
