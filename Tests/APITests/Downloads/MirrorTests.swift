// Mirrors: accepted, shown, changed, and refused without a digest.
import Base
import Postgres
import Testing

@testable import API

@Suite struct MirrorTests {
    private static let digest =
        #""expected_digest":"md5:00000000000000000000000000000000""#
    private static let urls =
        #""urls":["https://b.example/a.iso","http://c.example:8080/a.iso"]"#

    @Test func showsMirrorsAndTheNextOne() async throws {
        try await APIWorld.with { world in
            let made = await world.create(Self.urls + "," + Self.digest)
            #expect(made.status == 201, "\(made.text)")
            let list: JSON = ["https://b.example/a.iso", "http://c.example:8080/a.iso"]
            #expect(made.json["urls"] == list)
            #expect(made.json["mirror_url"] == "https://mirror.example/a.iso")
            #expect(made.json["current_url"] == .null)
            let path = try #require(made["Location"])
            let same = await world.send("GET", path)
            #expect(same.json["urls"] == list && same.json["mirror_url"] == made.json["mirror_url"])
            let events = await world.send("GET", path + "/events")
            #expect(events.json["data"]?[0]?["data"]?["urls"] == list)
            #expect(events.json["data"]?[0]?["data"]?["mirror_url"] == made.json["mirror_url"])
            // Each origin has a gate, so that the download can move there.
            let gates = try await world.pool.query(
                "SELECT count(*) FROM gates WHERE kind = 1")[0].get(0, as: Int64.self)
            #expect(gates == 3)
            let plain = await world.create()
            #expect(plain.json["urls"] == [])
            #expect(plain.json["mirror_url"] == plain.json["url"])
            try await world.run(try #require(made.json["id"]?.stringValue), bytes: 5)
            let attempts = await world.send("GET", path + "/attempts")
            #expect(attempts.json["data"]?[0]?["url"] == "https://mirror.example/a.iso")
        }
    }

    @Test(arguments: [
        (#""urls":["https://b.example/"]"#, ["#/urls"]),
        (#""urls":["https://b.example/"],"method":"POST",\#(digest)"#, ["#/urls"]),
        (#""urls":"https://b.example/",\#(digest)"#, ["#/urls"]),
        (#""urls":[1],\#(digest)"#, ["#/urls/0"]),
        (#""urls":[""],\#(digest)"#, ["#/urls/0"]),
        (#""urls":["https://mirror.example/a.iso"],\#(digest)"#, ["#/urls/0"]),
        (#""urls":["https://MIRROR.example:443/a.iso"],\#(digest)"#, ["#/urls/0"]),
        (#""urls":["https://b.example/","https://b.example"],\#(digest)"#, ["#/urls/1"]),
        (#""urls":["https://b.example/","nonsense"],\#(digest)"#, ["#/urls/1"]),
        (#""urls":["https://b.example/","ftp://b.example/"],\#(digest)"#, ["#/urls/1"]),
        (#""urls":["http://127.0.0.1/"],\#(digest)"#, ["#/urls/0"]),
        (
            #""urls":["http://a/","http://b/","http://c/","http://d/","http://e/","http://f/","#
                + #""http://g/","http://h/","http://i/"],\#(digest)"#, ["#/urls"]
        ),
    ])
    func mirrorsNeedADigest(_ members: String, _ pointers: [String]) async throws {
        let reply = try await APIWorld.alone().create(members)
        #expect(reply.status == 422 && reply.pointers == pointers, "\(reply.text)")
    }

    @Test func batchFindingsPointToMirrors() async throws {
        try await APIWorld.with { world in
            let wrong = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"downloads":[{"url":"https://a.example/","urls":["http://10.0.0.1/"],"#
                    + Self.digest + "}]}")
            wrong.expectProblem("batch-rejected", status: 422)
            #expect(wrong.pointers == ["#/downloads/0/urls/0"])
            // Each download may bring its own digest.
            let right = await world.send(
                "POST", "/v1/downloads/batch",
                #"{"defaults":{"urls":["https://b.example/x"]},"downloads":[{"url":"#
                    + #""https://a.example/","# + Self.digest + "}]}")
            #expect(right.status == 201, "\(right.text)")
            #expect(right.json["data"]?[0]?["urls"] == ["https://b.example/x"])
        }
    }

    @Test func patchReplacesMirrors() async throws {
        try await APIWorld.with { world in
            let patch = { (path: String, body: String) in
                await world.send(
                    "PATCH", path, body,
                    headers: [("Content-Type", "application/merge-patch+json")])
            }
            let path = try #require(
                await world.create(Self.urls + "," + Self.digest)["Location"])
            let other = await patch(path, #"{"urls":["https://d.example/a.iso"]}"#)
            #expect(other.status == 200, "\(other.text)")
            #expect(other.json["urls"] == ["https://d.example/a.iso"])
            let same = await patch(path, #"{"url":"https://d.example/a.iso"}"#)
            same.expectProblem("validation-failed", status: 422)
            #expect(same.pointers == ["#/urls/0"])
            let denied = await patch(path, #"{"urls":["http://127.0.0.1/"]}"#)
            denied.expectProblem("destination-not-allowed", status: 422)
            #expect(denied.pointers == ["#/urls/0"])
            let none = await patch(path, #"{"urls":null}"#)
            #expect(none.status == 200 && none.json["urls"] == [])
            let back = await patch(path, "{" + Self.urls + "}")
            #expect(back.json["urls"]?.arrayValue?.count == 2)
            // Only the answer to a change names dropped secrets.
            var kept = try #require(back.json.objectValue)
            #expect(kept["dropped"] == [])
            kept["dropped"] = nil
            await #expect(world.send("GET", path).json == .object(kept))

            let bare = await world.create()
            let refused = await patch(try #require(bare["Location"]), "{" + Self.urls + "}")
            refused.expectProblem("validation-failed", status: 422)
            #expect(refused.pointers == ["#/urls"])
            try await world.run(try #require(bare.json["id"]?.stringValue), bytes: 5)
            await patch(try #require(bare["Location"]), #"{"urls":[]}"#)
                .expectProblem("invalid-state-transition", status: 409)
        }
    }
}
