// The policy document: judged, versioned, in force at once.
import Base
import Scheduling
import Testing

@testable import API

@Suite struct PolicyTests {
    /// One of the two windows is closed at any time.
    private let closed = #"""
        {"windows":{"a":["Mon-Thu 00:00-24:00"],"b":["Fri-Sun 00:00-24:00"]},
         "rules":[{"name":"nobody","match":{},"require":["window a","window b"]}]}
        """#

    @Test func getPolicyReturnsTheEmptyDocumentBeforeOneIsStored() async throws {
        try await APIWorld.with { world in
            let reply = await world.send("GET", "/v1/policy")
            #expect(reply.status == 200 && reply["ETag"] == "\"0\"")
            #expect(reply.json["document"] == .object([:]) && reply.json["version"] == 0)
        }
    }

    @Test func putPolicyTakesEffectAtOnce() async throws {
        try await APIWorld.with { world in
            let body = #"{"time_zone":"Europe/Berlin","limits":{"running":2}}"#
            let reply = await world.send("PUT", "/v1/policy", body)
            #expect(reply.status == 200 && reply["ETag"] == "\"1\"")
            let sent = try JSON.parse(body)
            #expect(sent == reply.json["document"] && reply.json["version"] == 1)
            let told = world.told.now
            #expect(told.policy.limits.running == 2 && told.policy.timeZone == "Europe/Berlin")
            #expect(told.policyVersion == 1 && told.hints == 1)
            let read = await world.send("GET", "/v1/policy")
            #expect(read.json == reply.json && read["ETag"] == "\"1\"")
            let known = [("If-None-Match", "\"1\"")]
            await #expect(world.send("GET", "/v1/policy", headers: known).status == 304)
        }
    }

    @Test func blockersUseTheStoredPolicy() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            await #expect(world.send("PUT", "/v1/policy", closed).status == 200)
            let blockers = await world.send("GET", path).json["blockers"]
            #expect(blockers?.arrayValue?.count == 1)
            #expect(blockers?[0]?["code"] == "window" && blockers?[0]?["rule"] == "nobody")
            #expect(blockers?[0]?["until"]?.stringValue != nil)
            let new = await world.create().json["blockers"]
            #expect(new?[0]?["code"] == "window")
        }
    }

    @Test func putPolicyObeysConditions() async throws {
        try await APIWorld.with { world in
            let put = { (headers: [(String, String)]) in
                await world.send("PUT", "/v1/policy", "{}", headers: headers)
            }
            await put([("If-Match", "*")]).expectProblem("precondition-failed", status: 412)
            await put([("If-Match", "\"1\"")]).expectProblem("precondition-failed", status: 412)
            await #expect(put([("If-Match", "\"0\"")])["ETag"] == "\"1\"")
            await put([("If-None-Match", "*")]).expectProblem("precondition-failed", status: 412)
            await #expect(put([("If-Match", "\"9\", \"1\"")])["ETag"] == "\"2\"")
            await #expect(put([("If-Match", "*")])["ETag"] == "\"3\"")
            await put([("If-Match", "W/\"3\"")]).expectProblem("precondition-failed", status: 412)
            await #expect(world.send("GET", "/v1/policy")["ETag"] == "\"3\"")
        }
        try await APIWorld.with { world in
            let reply = await world.send(
                "PUT", "/v1/policy", "{}", headers: [("If-None-Match", "*")])
            #expect(reply.status == 200 && reply["ETag"] == "\"1\"")
        }
    }

    @Test func policyFindingsHavePointers() async throws {
        let cases = [
            (#"{"time_zone":"Mars/Olympus"}"#, "#/time_zone"),
            (#"{"windows":{"n":["25:00"]}}"#, "#/windows/n/0"),
            (#"{"rules":[{"name":"a","require":["window n"]}]}"#, "#/rules/0/require/0"),
            (#"{"limits":{"running":0}}"#, "#/limits/running"),
            (#"{"bandwidth":"fast"}"#, "#/bandwidth"), ("[]", "#"),
        ]
        let world = try APIWorld.alone()
        for (body, pointer) in cases {
            let reply = await world.send("PUT", "/v1/policy", body)
            reply.expectProblem("validation-failed", status: 422)
            #expect(reply.pointers == [pointer])
        }
    }
}
