// Creates that name the version of a content that is known.
import Base
import Postgres
import Testing

@testable import API

@Suite struct OnlyIfChangedTests {
    private static let digest = String(repeating: "a", count: 64)
    private static let result: JSONObject = [
        "response": [
            "status_code": 200, "url": "https://cdn.example/a.iso", "etag": "\"v1\"",
            "last_modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ],
        "content": ["length": 10, "sha256": .string(digest), "length_verified": true],
    ]

    /// A body that is refused, with the pointer to its fault; `ID` is a download that exists.
    private static let refused: [(members: String, pointer: String)] = [
        (#""if_changed_from":"x""#, "#/if_changed_from"),
        (#""if_changed_from":"dl_01K9X3V7Q8ZJ5R2M4N6P8T0WYA""#, "#/if_changed_from"),
        (#""if_changed_from":"ID","method":"POST""#, "#/if_changed_from"),
        (#""if_changed_from":"ID","on_duplicate_url":"join""#, "#/if_changed_from"),
        (#""if_changed_from":"ID","if_none_match":"\"a\"""#, "#/if_none_match"),
        (
            #""if_changed_from":"ID","if_modified_since":"Sun, 06 Nov 1994 08:49:37 GMT""#,
            "#/if_modified_since"
        ),
        (#""if_changed_from":"ID","headers":{"if-none-match":"\"a\""}"#, "#/if_changed_from"),
        (#""if_none_match":"v1""#, "#/if_none_match"),
        (#""if_none_match":"*""#, "#/if_none_match"),
        (#""if_none_match":"\"a\"","method":"PUT""#, "#/if_none_match"),
        (
            #""if_none_match":"\"a\"","expected_digest":"md5:900150983cd24fb0d6963f7d28e17f72""#,
            "#/expected_digest"
        ),
        (#""if_modified_since":"2026-01-01T00:00:00Z""#, "#/if_modified_since"),
    ]

    @Test func whatCannotBeAskedIsRefused() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            for (members, pointer) in Self.refused {
                let reply = await world.create(members.replacing("ID", with: id))
                reply.expectProblem("validation-failed", status: 422)
                #expect(reply.pointers == [pointer], "\(members): \(reply.text)")
            }
            let url = #"{"url":"https://other.example/","if_changed_from":"\#(id)"}"#
            let reply = await world.send("POST", "/v1/downloads", url)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == ["#/if_changed_from"])
            let upload =
                #"{"destination":{"url":"https://r.example/"},"length":1,"if_none_match":"\"a\""}"#
            #expect(await world.send("POST", "/v1/uploads", upload).pointers == ["#/if_none_match"])
        }
    }

    /// The condition that a download with `if_changed_from` is stored with.
    private func condition(
        _ world: APIWorld, _ id: String, _ members: String = ""
    ) async throws -> JSON? {
        let reply = await world.create(
            #""if_changed_from":"\#(id)""# + (members.isEmpty ? "" : "," + members))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.json["if_changed_from"] == .string(id))
        #expect(reply.json["if_none_match"] == .null && reply.json["unchanged"] == .null)
        let text = try #require(reply.json["id"]?.stringValue)
        let new = try #require(Identifier(text, kind: .download))
        let stored: String = try await world.pool.query(
            "SELECT spec::text FROM download_requests WHERE id = $1", [new])[0].get(0)
        return try JSON.parse(stored)["condition"]
    }

    @Test func theValidatorsOfTheHeldContentAreSent() async throws {
        try await APIWorld.with { world in
            let id = try #require(await world.create().json["id"]?.stringValue)
            // It has no content yet.
            #expect(try await condition(world, id)?["etag"] == nil)
            try await world.succeed(id, result: Self.result)
            let known = try await condition(world, id)
            #expect(known?["etag"] == "\"v1\"")
            #expect(known?["last_modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(known?["sha256"] == .string(Self.digest))
            #expect(known?["origin"] == "https://cdn.example:443")
            #expect(known?["content_wanted"] == true)
            let same = #""expected_digest":"sha256:\#(Self.digest)""#
            #expect(try await condition(world, id, same)?["etag"] == "\"v1\"")
            let other = #""expected_digest":"sha256:\#(String(repeating: "b", count: 64))""#
            let unmet = try await condition(world, id, other)
            #expect(unmet?["etag"] == nil && unmet?["sha256"] == nil)
            let receiver = #""destination":{"url":"https://r.example/"}"#
            #expect(try await condition(world, id, receiver)?["content_wanted"] == nil)
            _ = await world.send("DELETE", "/v1/downloads/\(id)/content")
            let released = try await condition(world, id)
            #expect(released?["etag"] == nil && released?["unchanged_from"] != nil)
        }
    }

    @Test func ownValidatorsAreShown() async throws {
        try await APIWorld.with { world in
            let reply = await world.create(
                #""if_none_match":"W/\"a\", \"b\"","#
                    + #""if_modified_since":"Sun, 06 Nov 1994 08:49:37 GMT""#
            )
            #expect(reply.status == 201, "\(reply.text)")
            #expect(reply.json["if_none_match"] == "W/\"a\", \"b\"")
            #expect(reply.json["if_modified_since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(reply.json["if_changed_from"] == .null)
            let path = try #require(reply["Location"])
            // Another address has other versions.
            let moved = await world.send("PATCH", path, #"{"url":"https://other.example/"}"#)
            #expect(moved.json["if_none_match"] == .null)
        }
    }

    /// A download of another app is not found, and its URL not told.
    @Test func aBatchNamesThePlaceOfTheFault() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"downloads":[{"url":"https://a.example/"},"#
                    + #"{"url":"https://a.example/","#
                    + #""if_changed_from":"dl_01K9X3V7Q8ZJ5R2M4N6P8T0WYA"}]}"#
            )
            #expect(reply.pointers == ["#/downloads/1/if_changed_from"], "\(reply.text)")
        }
    }
}
