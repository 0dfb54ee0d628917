// Conditions over the API: pushed, read, removed, and the errors that refuse them.
import Base
import Scheduling
import Testing

@testable import API

@Suite struct ConditionTests {
    private static let policy = """
        {"conditions": {"price": {"type": "number", "unit": "EUR", "default": 0.3, "ttl": "2h"},
                        "mode": {"type": "word", "words": ["eco", "full"]}},
         "rules": [{"name": "cheap", "require": ["price < 0.2", "mode = eco"]}]}
        """

    @Test func aPushCountsAtOnce() async throws {
        try await APIWorld.with { world in
            await #expect(world.send("PUT", "/v1/policy", Self.policy).status == 200)
            let path = try #require(await world.create()["Location"])
            let before = await world.send("GET", path).json["blockers"]
            #expect(before?.arrayValue?.map { $0["code"] } == ["condition", "condition"])
            let body = #"{"value": 0.1, "ttl_seconds": 60, "source": "epex"}"#
            let reply = await world.send("PUT", "/v1/conditions/price", body)
            #expect(reply.status == 200 && reply.json["value"] == .number(0.1))
            #expect(reply.json["is_known"] == true && reply.json["used_by"] == ["cheap"])
            #expect(reply.json["unit"] == "EUR" && reply.json["expires_at"] != nil)
            _ = await world.send("PUT", "/v1/conditions/mode", #"{"value": "eco"}"#)
            let after = await world.send("GET", path).json["blockers"]
            #expect(after?.arrayValue?.map { $0["code"] } == ["slots"])
            await #expect(world.send("DELETE", "/v1/conditions/mode").status == 204)
            await world.send("DELETE", "/v1/conditions/mode")
                .expectProblem("not-found", status: 404)
            let blockers = await world.send("GET", path).json["blockers"]
            #expect(blockers?.arrayValue?.count == 1 && blockers?[0]?["rule"] == "cheap")
            let read = await world.send("GET", "/v1/conditions/mode").json
            #expect(read["history"]?.arrayValue?.map { $0["value"] } == [.null, "eco"])
            #expect(read["value"] == .null && read["is_known"] == false)
        }
    }

    @Test func listHasBuiltInDeclaredAndPushedOnes() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/policy", Self.policy)
            let push = await world.send("PUT", "/v1/conditions/wind.north-1", #"{"value": true}"#)
            #expect(push.status == 200 && push.json["used_by"] == [] && push.json["type"] == .null)
            let list = await world.send("GET", "/v1/conditions").json["data"]?.arrayValue ?? []
            let names = list.compactMap { $0["name"]?.stringValue }
            #expect(
                names == names.sorted()
                    && Set(names).isSuperset(of: [
                        "load_per_core", "price", "mode", "wind.north-1", "network_cost",
                    ]))
            let measured = list.filter { $0["is_measured"] == true }.compactMap { $0["name"] }
            #expect(measured.contains("io_pressure") && !measured.contains("price"))
            await world.send("GET", "/v1/conditions/nothing")
                .expectProblem("not-found", status: 404)
            await world.send("GET", "/v1/conditions/a%20b").expectProblem("not-found", status: 404)
        }
    }

    @Test(arguments: [
        ("price", #"{}"#, ["#/value"]), ("price", #"{"value": "eco"}"#, ["#/value"]),
        ("price", #"{"value": null}"#, ["#/value"]), ("price", #"{"value": [1]}"#, ["#/value"]),
        ("mode", #"{"value": "ecco"}"#, ["#/value"]), ("mode", #"{"value": "a b"}"#, ["#/value"]),
        ("load_per_core", #"{"value": 1}"#, ["#"]), ("price", "[]", ["#"]),
        ("price", #"{"value": 1, "ttl_seconds": 0}"#, ["#/ttl_seconds"]),
        ("price", #"{"value": 1, "until": 3}"#, ["#/until"]),
        ("price", #"{"value": 1, "schedule": 3}"#, ["#/schedule"]),
        (
            "price", #"{"value": 1, "schedule": [{"value": 2}, {"from": "2026-01-01T00:00:00Z"}]}"#,
            ["#/schedule/0/from", "#/schedule/1/value"]
        ),
        (
            "price",
            #"{"value": 1, "schedule": [{"from": "2026-01-01T00:00:00Z", "value": 2},"#
                + #"{"from": "2026-01-02T00:00:00Z", "value": true}]}"#,
            ["#/schedule/1/value"]
        ),
        (
            "price",
            #"{"value": 1, "schedule": [{"from": "2026-01-01T00:00:00Z", "value": 2},"#
                + #"{"from": "2026-01-01T00:00:00Z", "value": 3}]}"#,
            ["#/schedule/1"]
        ),
    ])
    func refusesWithPointers(_ name: String, _ body: String, _ pointers: [String]) async throws {
        let world = try APIWorld.alone()
        let document = try JSON.parse(Self.policy)
        let policy = try Policy.parse(document, defaults: APIWorld.limits) { _ in true }.get()
        world.told.change { $0.conditions.take(policy, at: .epoch) }
        let reply = await world.send("PUT", "/v1/conditions/\(name)", body)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.pointers == pointers)
    }
}
