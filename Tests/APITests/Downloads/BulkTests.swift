// Bulk actions: one action on all downloads that a filter selects.
import Base
import Downloads
import Postgres
import Testing

@testable import API

@Suite struct BulkTests {
    private func send(_ world: APIWorld, _ body: String, query: String = "") async -> Reply {
        await world.send("POST", "/v1/downloads/bulk" + query, body)
    }

    @Test func bulkRetriesFailedDownloads() async throws {
        try await APIWorld.with { world in
            let list = (0..<230).map { "{\"url\":\"https://a.example/\($0)\"}" }
            let made = await world.send(
                "POST", "/v1/downloads/batch",
                "{\"defaults\":{\"metadata\":{\"run\":\"1\"}},"
                    + "\"downloads\":[\(list.joined(separator: ","))]}")
            let ids = try #require(made.json["data"]?.arrayValue).compactMap {
                $0["id"]?.stringValue
            }
            for id in ids.prefix(3) { try await world.fail(id) }
            _ = await world.create()
            let body = #"{"action":"retry","filter":{"state":["failed"],"metadata":{"run":"1"}}}"#
            let counted = await send(world, body, query: "?dry_run=true")
            #expect(counted.json == ["matched": 3, "changed": 3])
            await #expect(send(world, body).json == ["matched": 3, "changed": 3])
            await #expect(send(world, body).json == ["matched": 0, "changed": 0])
            let cancel = #"{"action":"cancel","filter":{"origin":"https://a.example"}}"#
            await #expect(send(world, cancel).json == ["matched": 230, "changed": 230])
            await #expect(send(world, cancel).json == ["matched": 230, "changed": 0])
            let left = await world.send("GET", "/v1/downloads?state=waiting")
            #expect(left.json["data"]?.arrayValue?.count == 1)
        }
    }

    @Test func bulkStopsRunningDownloadsAndRemovesFiles() async throws {
        try await APIWorld.with { world in
            let running = try #require(await world.create().json["id"]?.stringValue)
            try await world.run(running, bytes: 1)
            let done = try #require(await world.create().json["id"]?.stringValue)
            try await world.succeed(done, result: ["content": ["length": 1]])
            let cancel = #"{"action":"cancel","filter":{"session":"default"}}"#
            await #expect(send(world, cancel).json == ["matched": 2, "changed": 1])
            #expect(world.told.now.orders.map(\.1) == [.cancel])
            let delete = #"{"action":"delete","filter":{"session":"default"}}"#
            await #expect(send(world, delete).json == ["matched": 2, "changed": 1])
            #expect(world.told.now.removed.map(\.1) == [7])
        }
    }

    /// Whatever the state, a dry run says what the action then changes.
    @Test(arguments: DownloadAction.allCases)
    func aDryRunCountsTheChangesOfTheAction(_ action: DownloadAction) async throws {
        try await APIWorld.with { world in
            func made(_ members: String = "") async throws -> String {
                try #require(await world.create(members).json["id"]?.stringValue)
            }
            _ = try await made()
            _ = try await made("\"earliest_begin_date\":\"2099-01-01T00:00:00Z\"")
            _ = try await made("\"suspended\":true")
            try await world.run(try await made(), bytes: 1)
            try await world.fail(try await made())
            try await world.succeed(try await made(), result: ["content": ["length": 1]])
            _ = await world.send("POST", "/v1/downloads/\(try await made())/cancel")
            let body = "{\"action\":\"\(action.rawValue)\",\"filter\":{\"session\":\"default\"}}"
            let counted = await send(world, body, query: "?dry_run=true").json
            #expect(counted["matched"] == 7)
            await #expect(send(world, body).json == counted)
        }
    }

    @Test func bulkActsOnNamedDownloads() async throws {
        try await APIWorld.with { world in
            var ids: [String] = []
            for _ in 0..<4 {
                ids.append(try #require(await world.create().json["id"]?.stringValue))
            }
            let strange = Identifier(hexadecimal: "01990000000070008000000000000001")
            let names = ids.prefix(3) + [ids[0], try #require(strange).text]
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            let body = "{\"action\":\"cancel\",\"ids\":[\(list)]}"
            await #expect(
                send(world, body, query: "?dry_run=true").json == [
                    "matched": 3, "changed": 3,
                ])
            await #expect(send(world, body).json == ["matched": 3, "changed": 3])
            let left = await world.send("GET", "/v1/downloads?state=waiting")
            #expect(left.json["data"]?.arrayValue?.count == 1)
        }
    }

    @Test(arguments: [
        ("[]", "#"), ("{}", "#/action"), (#"{"action":"retry"}"#, "#/filter"),
        (#"{"action":"retry","ids":[]}"#, "#/ids"),
        (#"{"action":"retry","ids":["dl_1"]}"#, "#/ids/0"),
        (#"{"action":"retry","ids":["up_41ZZQ8Q2M9V7T4K3H2G1F0E9D8"]}"#, "#/ids/0"),
        (#"{"action":"retry","ids":["dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"],"filter":{}}"#, "#/ids"),
        (#"{"action":"retry","filter":{"error_code":"oops"}}"#, "#/filter/error_code"),
        (#"{"action":"retry","filter":{"q":""}}"#, "#/filter/q"),
        (#"{"action":"retry","filter":{}}"#, "#/filter"),
        (#"{"action":"pause","filter":{"session":"a"}}"#, "#/action"),
        (#"{"action":"retry","filter":{"state":["done"]}}"#, "#/filter/state/0"),
        (#"{"action":"retry","filter":{"origin":"a"}}"#, "#/filter/origin"),
        (#"{"action":"retry","filter":{"id":"a"}}"#, "#/filter/id"),
        (#"{"action":"retry","filter":{"session":"a"},"x":1}"#, "#/x"),
    ]) func refusesBulkWithoutAFilter(body: String, pointer: String) async throws {
        let reply = try await send(.alone(), body)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers.first == pointer)
    }
}
