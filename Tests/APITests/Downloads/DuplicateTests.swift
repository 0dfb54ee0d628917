// Creates that share the transfer of a live download.
import Base
import Postgres
import Store
import Testing

@testable import API

@Suite struct DuplicateTests {
    @Test func theSecondShowsWhatItHasJoined() async throws {
        try await APIWorld.with { world in
            let first = await world.create(#""on_duplicate_url":"join""#)
            #expect(first.status == 201 && first.json["joined_to"] == .null)
            #expect(first.json["on_duplicate_url"] == "join")
            let second = await world.create(#""on_duplicate_url":"join","metadata":{"a":"b"}"#)
            #expect(second.status == 201, "\(second.text)")
            #expect(second.json["joined_to"] == first.json["id"])
            #expect(second.json["state"] == "waiting")
            let blockers = second.json["blockers"]?.arrayValue ?? []
            #expect(blockers.map { $0["code"] } == ["dependency"])
            let path = try #require(second["Location"])
            #expect(await world.send("GET", path).json == second.json)
            let explained = await world.send("GET", path + "/explain")
            #expect(explained.json["blockers"] == second.json["blockers"])
            #expect(explained.json["until"] == .null && explained.json["sooner"] == [])
            for body in ["", #""on_duplicate_url":null"#, #""on_duplicate_url":"independent""#] {
                let other = await world.create(body)
                #expect(other.json["joined_to"] == .null)
                #expect(other.json["on_duplicate_url"] == "independent")
            }
        }
    }

    @Test func theSameKeyGetsTheSameAnswer() async throws {
        try await APIWorld.with { world in
            let first = await world.create(#""on_duplicate_url":"join""#)
            let body = #"{"url":"https://mirror.example/a.iso","on_duplicate_url":"join"}"#
            let replies = await [
                world.send("POST", "/v1/downloads", body, headers: [("Idempotency-Key", "k")]),
                world.send("POST", "/v1/downloads", body, headers: [("Idempotency-Key", "k")]),
            ]
            for reply in replies {
                #expect(reply.status == 201 && reply.json["joined_to"] == first.json["id"])
            }
            #expect(replies[0].json == replies[1].json)
        }
    }

    @Test func thoseOfABatchShowTheFirst() async throws {
        try await APIWorld.with { world in
            let body = #"""
                {"defaults":{"on_duplicate_url":"join"},"downloads":[
                    {"url":"https://mirror.example/a"},{"url":"https://mirror.example/b"},
                    {"url":"https://mirror.example/a"},
                    {"url":"https://mirror.example/a","headers":{"a":"b"}}]}
                """#
            let reply = await world.send(
                "POST", "/v1/downloads/batch", body, headers: [("Idempotency-Key", "k")])
            #expect(reply.status == 201, "\(reply.text)")
            let list = reply.json["data"]?.arrayValue ?? []
            #expect(list.map { $0["joined_to"] } == [.null, .null, list[0]["id"], .null])
            let again = await world.send(
                "POST", "/v1/downloads/batch", body, headers: [("Idempotency-Key", "k")])
            #expect(again.json == reply.json)
        }
    }

    @Test func neitherADestinationNorResumeDataGoesWithIt() async throws {
        let world = try APIWorld.alone()
        for members in [
            #""on_duplicate_url":"join","destination":{"name":"media"}"#,
            #""on_duplicate_url":"always""#,
        ] {
            let reply = await world.create(members)
            #expect(reply.status == 422, "\(reply.text)")
            #expect(reply.pointers == ["#/on_duplicate_url"])
        }
    }

    @Test func aPatchOfTheURLTakesItOut() async throws {
        try await APIWorld.with { world in
            _ = await world.create(#""on_duplicate_url":"join""#)
            let second = await world.create(#""on_duplicate_url":"join""#)
            let path = try #require(second["Location"])
            let same = await world.send("PATCH", path, #"{"priority":1}"#)
            #expect(same.json["joined_to"] == second.json["joined_to"])
            let other = await world.send(
                "PATCH", path, #"{"url":"https://mirror.example/b.iso"}"#)
            #expect(other.status == 200 && other.json["joined_to"] == .null, "\(other.text)")
            let codes = other.json["blockers"]?.arrayValue?.map { $0["code"] }
            #expect(codes?.contains("dependency") == false)
        }
    }
}
