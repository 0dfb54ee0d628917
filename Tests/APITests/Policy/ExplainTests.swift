// The reasons and times of a wait over the API: explanations, trials, the schema, versions,
// deletion.
import Base
import Scheduling
import Testing

@testable import API

@Suite struct ExplainTests {
    /// One of the two windows is closed at any time; sizes are not told apart by lanes.
    private static let policy = """
        {"windows": {"a": ["Mon-Thu 00:00-24:00"], "b": ["Fri-Sun 00:00-24:00"]},
         "rules": [{"name": "never", "match": {"is_discretionary": true},
                    "require": ["window a", "window b"]},
                   {"name": "other", "match": {"session": "none"}, "require": ["window a"]}]}
        """

    @Test func explainsAWaitingDownload() async throws {
        try await APIWorld.with { world in
            let path = try #require(await world.create(#""is_discretionary": true"#)["Location"])
            let free = await world.send("GET", path + "/explain").json
            #expect(free["state"] == "waiting" && free["blockers"]?[0]?["code"] == "slots")
            #expect(free["rules"] == [])
            _ = await world.send("PUT", "/v1/policy", Self.policy)
            let reply = await world.send("GET", path + "/explain")
            #expect(reply.status == 200)
            let explained = reply.json
            // Both windows together never open.
            #expect(explained["until"] == .null && explained["earliest_known"] == .null)
            #expect(explained["rules"]?[0]?["verdict"] == "closed")
            #expect(explained["rules"]?[1]?["verdict"] == "not_matched")
            #expect(explained["rules"]?[1]?["because"] == #"its session is "default""#)
            let outcomes = explained["rules"]?[0]?["requirements"]?.arrayValue?.map {
                $0["verdict"]
            }
            #expect(Set(outcomes?.compactMap { $0?.stringValue } ?? []) == ["met", "unmet"])
            #expect(explained["blockers"]?.arrayValue?.count == 1)
            #expect(explained["sooner"]?[0]?["change"] == "is_discretionary: false")
            #expect(explained["summary"]?.stringValue?.hasPrefix("It is not known when") == true)
            // The explanation of a download has the blockers of its resource.
            let blockers = await world.send("GET", path).json["blockers"]
            #expect(blockers?[0]?["detail"] == explained["blockers"]?[0]?["detail"])
            _ = await world.send("POST", path + "/cancel")
            let ended = await world.send("GET", path + "/explain").json
            #expect(ended["state"] == "canceled" && ended["blockers"] == nil)
            await world.send("GET", "/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C/explain")
                .expectProblem("not-found", status: 404)
        }
    }

    @Test func explainsADownloadThatIsNotCreated() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/policy", Self.policy)
            let body = #"{"url": "https://mirror.example/a", "is_discretionary": true}"#
            let reply = await world.send("POST", "/v1/policy/explain", body)
            #expect(reply.status == 200 && reply.json["blockers"]?[0]?["rule"] == "never")
            let list = await world.send("GET", "/v1/downloads").json["data"]
            #expect(list == [])
            let bad = await world.send("POST", "/v1/policy/explain", #"{"url": 3}"#)
            bad.expectProblem("validation-failed", status: 422)
        }
    }

    @Test func aTrialChangesNothing() async throws {
        try await APIWorld.with { world in
            for _ in 0..<3 { _ = await world.create(#""is_discretionary": true"#) }
            _ = await world.create()
            let reply = await world.send("POST", "/v1/policy/try", Self.policy)
            #expect(reply.status == 200)
            #expect(reply.json["judged"] == 4 && reply.json["is_whole"] == true)
            #expect(
                reply.json["counts"] == [
                    "sooner": 0, "later": 3, "otherwise": 0, "unchanged": 1,
                ])
            #expect(reply.json["changes"]?.arrayValue?.count == 3)
            #expect(reply.json["changes"]?[0]?["after"]?["blockers"]?[0]?["rule"] == "never")
            let levels = reply.json["findings"]?.arrayValue?.map { $0["level"] }
            #expect(levels == ["warning"])
            await #expect(world.send("GET", "/v1/policy").json["version"] == 0)
            #expect(world.told.now.policyVersion == 0)
            let same = await world.send("POST", "/v1/policy/try", "{}").json["counts"]
            #expect(same?["unchanged"] == 4)
        }
    }

    @Test func aDeletedPolicyGivesWayToTheSettings() async throws {
        try await APIWorld.with { world in
            _ = await world.send("PUT", "/v1/policy", Self.policy)
            let wrong = await world.send("DELETE", "/v1/policy", headers: [("If-Match", "\"9\"")])
            wrong.expectProblem("precondition-failed", status: 412)
            let right = [("If-Match", "\"1\"")]
            await #expect(world.send("DELETE", "/v1/policy", headers: right).status == 204)
            #expect(world.told.now.policy.rules.isEmpty && world.told.now.policyVersion == 2)
            let gone = await world.send("GET", "/v1/policy")
            #expect(gone["ETag"] == "\"2\"" && gone.json["document"] == .object([:]))
            let star = [("If-None-Match", "*")]
            await #expect(world.send("PUT", "/v1/policy", "{}", headers: star).status == 200)
            let versions = await world.send("GET", "/v1/policy/versions").json["data"]?.arrayValue
            #expect(versions?.map { $0["version"] } == [3, 2, 1])
            #expect(versions?[1]["document"] == .null)
        }
    }

    @Test func schemaIsServed() async throws {
        let world = try APIWorld.alone()
        let reply = await world.send("GET", "/v1/policy/schema")
        #expect(reply.status == 200)
        #expect(reply.json["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(reply.json["properties"]?["rules"]?["maxItems"] == 1000)
    }

    @Test func findingsNameTheNearestWord() async throws {
        let world = try APIWorld.alone()
        let reply = await world.send("PUT", "/v1/policy", #"{"ruels": []}"#)
        reply.expectProblem("validation-failed", status: 422)
        #expect(reply.json["errors"]?[0]?["did_you_mean"] == "rules")
    }
}
