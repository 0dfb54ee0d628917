// Rates as clients set and see them: in the policy, for a session, for a download.
import Base
import Scheduling
import Testing

@testable import API

@Suite struct RateTests {
    @Test func thePolicyTakesTimetables() async throws {
        try await APIWorld.with { world in
            let body = #"""
                {"bandwidth":{"deployment":"08:00,10M 18:00,off","per_session":"2M",
                 "per_origin":{"*.mirror.example":"Mon-00:00,1M;Sat-00:00,off"}}}
                """#
            let reply = await world.send("PUT", "/v1/policy", body)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.json["document"]?["bandwidth"]?["per_session"] == "2M")
            let bandwidth = world.told.now.policy.bandwidth
            #expect(bandwidth.deployment != nil && bandwidth.session("any") != nil)
            #expect(bandwidth.origin(host: "a.mirror.example", port: 80) != nil)
            let wrong = await world.send(
                "PUT", "/v1/policy",
                #"{"bandwidth":{"deployment":"8:00,1M","per_origin":{"*":"1M 2M"}}}"#)
            wrong.expectProblem("validation-failed", status: 422)
            #expect(
                wrong.pointers == ["#/bandwidth/deployment", "#/bandwidth/per_origin/*"])
            #expect(wrong.text.contains("character 1: a time from 00:00 to 23:59 is expected"))
        }
    }

    @Test func zeroBytesASecondBlocksDownloads() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create()["Location"])
            let body = #"{"bandwidth":{"per_origin":{"mirror.example":"0"}}}"#
            await #expect(world.send("PUT", "/v1/policy", body).status == 200)
            let blockers = await world.send("GET", path).json["blockers"]
            #expect(blockers?.arrayValue?.count == 1)
            #expect(blockers?[0]?["code"] == "bandwidth_zero" && blockers?[0]?["until"] == .null)
            let other = #"{"bandwidth":{"per_origin":{"other.example":"0"}}}"#
            await #expect(world.send("PUT", "/v1/policy", other).status == 200)
            let free = await world.send("GET", path).json["blockers"]
            #expect(free?[0]?["code"] == "slots")
        }
    }

    @Test func sessionsAndDownloadsHaveRateLimits() async throws {
        try await APIWorld.with { world in
            let session = await world.send(
                "PUT", "/v1/sessions/slow", #"{"max_bytes_per_second":1000}"#)
            let shown = session.json["configuration"]
            #expect(session.status == 201 && shown?["max_bytes_per_second"] == 1000)
            let made = await world.create(#""session":"slow","max_bytes_per_second":500"#)
            #expect(made.json["max_bytes_per_second"] == 500, "\(made.text)")
            let plain = await world.create(#""session":"slow""#)
            #expect(plain.json["max_bytes_per_second"] == .null, "the session's limit is shared")
            let path = try #require(made["Location"])
            let type = [("Content-Type", "application/merge-patch+json")]
            let changed = await world.send(
                "PATCH", path, #"{"max_bytes_per_second":700}"#, headers: type)
            #expect(changed.json["max_bytes_per_second"] == 700)
            let freed = await world.send(
                "PATCH", path, #"{"max_bytes_per_second":null}"#, headers: type)
            #expect(freed.json["max_bytes_per_second"] == .null)
            let words = await world.send(
                "PATCH", path, #"{"task_description":"x"}"#, headers: type)
            #expect(words.status == 200)
            let wrong = await world.send(
                "PATCH", path, #"{"max_bytes_per_second":0}"#, headers: type)
            #expect(wrong.pointers == ["#/max_bytes_per_second"])
            let id = try #require(
                made.json["id"]?.stringValue.flatMap { Identifier($0, kind: .download) })
            let rates = world.told.now.rates
            #expect(rates.count == 3)
            guard case .session(let key, 1000) = try #require(rates.first) else {
                Issue.record("\(rates)")
                return
            }
            #expect(key > 1)
            #expect(rates.dropFirst() == [.download(id, 700), .download(id, nil)])
        }
    }
}
