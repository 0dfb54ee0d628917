// The names that clients give to downloads: each once in its session.
import Base
import Postgres
import Testing

@testable import API

@Suite struct ExternalIDTests {
    private func expectStored(_ count: Int64, _ world: APIWorld) async throws {
        let row = try await world.pool.query("SELECT count(*) FROM downloads")[0]
        #expect(try row.get(0, as: Int64.self) == count)
    }

    @Test func createAgainAnswersTheFirst() async throws {
        try await APIWorld.with { world in
            let first = await world.create(#""external_id":"order-7""#)
            #expect(first.status == 201 && first.json["external_id"] == "order-7")
            let again = await world.create(#""external_id":"order-7","priority":1"#)
            #expect(again.status == 200, "\(again.text)")
            #expect(again.json["id"] == first.json["id"] && again.json["priority"] == 0.5)
            let keyed = await world.send(
                "POST", "/v1/downloads",
                #"{"url":"https://mirror.example/a.iso","external_id":"order-7"}"#,
                headers: [("Idempotency-Key", "k")])
            #expect(keyed.status == 200 && keyed.json["id"] == first.json["id"])
            try await expectStored(1, world)
        }
    }

    @Test func anotherURLOrDigestIsRefused() async throws {
        try await APIWorld.with { world in
            let digest = "md5:" + String(repeating: "0", count: 32)
            let first = await world.create(#""external_id":"a","expected_digest":"\#(digest)""#)
            for body in [
                #"{"url":"https://mirror.example/a.iso","external_id":"a"}"#,
                #"{"url":"https://a.example/","external_id":"a","expected_digest":"\#(digest)"}"#,
            ] {
                let reply = await world.send("POST", "/v1/downloads", body)
                reply.expectProblem("external-id-in-use", status: 409)
                #expect(reply.pointers == ["#/external_id"])
                #expect(reply.json["download"] == first.json["id"])
            }
        }
    }

    @Test func isFreeAfterDeleteAndInOtherSessions() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/sessions/s", "{}")
            let first = await world.create(#""external_id":"a""#)
            let other = await world.create(#""external_id":"a","session":"s""#)
            #expect(other.status == 201)
            let path = try #require(first["Location"])
            let list = await world.send("GET", "/v1/downloads?external_id=a")
            #expect(
                list.json["data"]?.arrayValue?.map { $0["id"] }
                    == [other.json["id"], first.json["id"]])
            let one = await world.send("GET", "/v1/downloads?external_id=a&session=s&limit=1")
            #expect(one.json["data"]?.arrayValue?.map { $0["id"] } == [other.json["id"]])
            #expect(await world.send("GET", "/v1/downloads?external_id=b").json["data"] == [])
            _ = await world.send("POST", path + "/cancel")
            #expect(await world.create(#""external_id":"a""#).status == 200)
            #expect(await world.send("DELETE", path).status == 204)
            let new = await world.create(#""external_id":"a""#)
            #expect(new.status == 201 && new.json["id"] != first.json["id"])
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 257), "a\\u0000", "a\\n", "\\u0085"])
    func isOf1To256CharactersWithoutControls(_ text: String) async throws {
        let world = try APIWorld.alone()
        let reply = await world.create("\"external_id\":\"\(text)\"")
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == ["#/external_id"])
    }

    @Test func concurrentCreatesMakeOneDownload() async throws {
        try await APIWorld.with { world in
            let replies = await withTaskGroup(of: Reply.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let key = number % 2 == 0 ? [] : [("Idempotency-Key", "k\(number)")]
                        return await world.send(
                            "POST", "/v1/downloads",
                            """
                            {"url":"https://mirror.example/a","external_id":"n\(number % 4)"}
                            """, headers: key)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0.status == 201 || $0.status == 200 })
            #expect(replies.filter { $0.status == 201 }.count == 4)
            #expect(Set(replies.compactMap { $0.json["id"]?.stringValue }).count == 4)
            try await expectStored(4, world)
        }
    }

    @Test func aKeyThatIsTakenLeavesTheNameFree() async throws {
        try await APIWorld.with { world in
            func send(_ name: String) async -> Reply {
                await world.send(
                    "POST", "/v1/downloads",
                    "{\"url\":\"https://a.example/\",\"external_id\":\"\(name)\"}",
                    headers: [("Idempotency-Key", "k")])
            }
            let first = await send("a")
            #expect(first.status == 201)
            let path = try #require(first["Location"])
            _ = await world.send("POST", path + "/cancel")
            _ = await world.send("DELETE", path)
            #expect(await send("a")["Idempotent-Replayed"] == "true")
            let names = try await world.pool.query("SELECT count(*) FROM external_ids")
            #expect(try names[0].get(0, as: Int64.self) == 0)
        }
    }

    /// Names, members of metadata and parameters that look alike but differ in bytes are different
    /// everywhere.
    @Test(arguments: [
        ("zo\u{e9}", "zoe\u{301}"), ("\u{212a}", "K"), ("\u{ac00}", "\u{1100}\u{1161}"),
    ])
    func textsThatOnlyLookAlikeAreOthers(_ one: String, _ other: String) async throws {
        try await APIWorld.with { world in
            func item(_ name: String) -> String {
                let url = "https://mirror.example/\(name == one ? 1 : 2)"
                return "{\"url\":\"\(url)\",\"external_id\":\"\(name)\","
                    + "\"metadata\":{\"\(one)\":\"1\",\"\(other)\":\"2\"}}"
            }
            func id(_ json: JSON?) -> String { json?["id"]?.stringValue ?? "" }
            let batch = "{\"downloads\":[\(item(one)),\(item(other))]}"
            let made = await world.send("POST", "/v1/downloads/batch", batch)
            #expect(made.status == 201, "\(made.text)")
            let ids = (made.json["data"]?.arrayValue ?? []).map { id($0) }
            #expect(Set(ids).count == 2)
            try await expectStored(2, world)
            // The request is repeated, for each name alone and for both together, in both orders.
            for (name, number) in [(one, 0), (other, 1)] {
                let again = await world.send("POST", "/v1/downloads", item(name))
                #expect(again.status == 200 && id(again.json) == ids[number])
            }
            let turned = await world.send(
                "POST", "/v1/downloads/batch", "{\"downloads\":[\(item(other)),\(item(one))]}")
            #expect(
                turned.json["data"]?.arrayValue?.map { id($0) } == [ids[1], ids[0]],
                "\(turned.text)")
            try await expectStored(2, world)
            func encoded(_ text: String) -> String {
                text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            for (name, number) in [(one, 0), (other, 1)] {
                let list = await world.send(
                    "GET", "/v1/downloads?external_id=" + encoded(name))
                #expect(list.json["data"]?.arrayValue?.map { id($0) } == [ids[number]])
            }
            let both = "metadata[\(encoded(one))]=1&metadata[\(encoded(other))]="
            let found = await world.send("GET", "/v1/downloads?" + both + "2")
            #expect(found.json["data"]?.arrayValue?.count == 2, "\(found.text)")
            let none = await world.send("GET", "/v1/downloads?" + both + "1")
            #expect(none.json["data"] == [], "\(none.text)")
        }
    }

    @Test func aBatchAnswersItemByItem() async throws {
        try await APIWorld.with { world in
            let first = await world.create(#""external_id":"a""#)
            func batch(_ items: String, _ query: String = "") async -> Reply {
                await world.send(
                    "POST", "/v1/downloads/batch" + query, "{\"downloads\":[\(items)]}")
            }
            let known = #"{"url":"https://mirror.example/a.iso","external_id":"a"}"#
            let twice = #"{"url":"https://mirror.example/c","external_id":"c"}"#
            let reply = await batch(#"\#(known),{"url":"https://b.example/"},\#(twice),\#(twice)"#)
            #expect(reply.status == 201, "\(reply.text)")
            let ids = reply.json["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            #expect(ids.count == 4 && ids[0] == first.json["id"]?.stringValue && ids[2] == ids[3])
            try await expectStored(3, world)
            let same = await batch("\(known),\(twice)")
            #expect(same.status == 200 && same.json["data"]?[1]?["id"]?.stringValue == ids[2])
            let wrong = await batch(
                #"{"url":"https://n.example/"},{"url":"https://x.example/","external_id":"a"}"#)
            wrong.expectProblem("external-id-in-use", status: 409)
            #expect(wrong.pointers == ["#/downloads/1/external_id"])
            try await expectStored(3, world)
        }
    }
}
