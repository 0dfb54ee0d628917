// A create shows the blockers that a read shows right after it.
import Base
import Testing

@testable import API

@Suite struct CreateBlockersTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Members of a policy.
        var policy = ""
        /// Members of the download besides `url`.
        var members = ""
        /// The codes of the blockers.
        let codes: [String]

        var testDescription: String { name }
    }

    /// Two windows of which one is closed at any time.
    private static func rule(_ match: String) -> String {
        #"""
        "windows":{"a":["Mon-Thu 00:00-24:00"],"b":["Fri-Sun 00:00-24:00"]},
        "rules":[{"name":"r","match":{\#(match)},"require":["window a","window b"]}]
        """#
    }

    static let cases = [
        Case(name: "nothing", codes: ["slots"]),
        Case(name: "a rule of its app", policy: rule(#""app":"default""#), codes: ["window"]),
        Case(name: "a rule of another app", policy: rule(#""app":"other""#), codes: ["slots"]),
        Case(
            name: "a rule of its session", policy: rule(#""session":"s""#),
            members: #""session":"s""#, codes: ["window"]),
        Case(name: "a rule of another session", policy: rule(#""session":"s""#), codes: ["slots"]),
        Case(
            name: "a rule of its origin", policy: rule(#""origin":"*.example""#),
            codes: ["window"]),
        Case(
            name: "a rule of its size", policy: rule(#""expected_bytes":{"min":"1MB"}"#),
            members: #""count_of_bytes_client_expects_to_receive":2000000"#, codes: ["window"]),
        Case(
            name: "a rule of its metadata", policy: rule(#""metadata":{"k":"v"}"#),
            members: #""metadata":{"k":"w"}"#, codes: ["slots"]),
        Case(
            name: "a rule of its priority", policy: rule(#""priority":{"min":0.9}"#),
            members: #""priority":1.0"#, codes: ["window"]),
        Case(
            name: "the rate of its app", policy: #""bandwidth":{"per_app":{"default":"0"}}"#,
            codes: ["bandwidth_zero"]),
        Case(
            name: "the rate of another app", policy: #""bandwidth":{"per_app":{"other":"0"}}"#,
            codes: ["slots"]),
        Case(
            name: "the rate of its class",
            policy: #""bandwidth":{"per_class":{"discretionary":"0"}}"#,
            members: #""is_discretionary":true"#, codes: ["bandwidth_zero"]),
        Case(
            name: "a suspended session", members: #""session":"asleep""#,
            codes: ["session_suspended"]),
        Case(
            name: "a date", members: #""earliest_begin_date":"2099-01-01T00:00:00Z""#,
            codes: ["earliest_begin_date"]),
    ]

    @Test(arguments: cases)
    func aCreateShowsWhatAReadShows(_ wanted: Case) async throws {
        try await APIWorld.with { world in
            for session in ["s", "asleep"] {
                _ = await world.send("PUT", "/v1/sessions/\(session)", "{}")
            }
            _ = await world.send("POST", "/v1/sessions/asleep/suspend")
            let policy = await world.send("PUT", "/v1/policy", "{\(wanted.policy)}")
            #expect(policy.status == 200, "\(policy.text)")
            let rest = wanted.members.isEmpty ? "" : "," + wanted.members
            let body = #"{"url":"https://mirror.example/a.iso"\#(rest)}"#
            let dry = await world.send("POST", "/v1/downloads?dry_run=true", body)
            let made = await world.send("POST", "/v1/downloads", body)
            let batch = await world.send(
                "POST", "/v1/downloads/batch", #"{"downloads":[\#(body)]}"#)
            let explained = await world.send("POST", "/v1/policy/explain", body)
            #expect(codes(explained.json) == wanted.codes, "\(explained.text)")
            let path = try #require(made["Location"])
            let read = await world.send("GET", path).json
            #expect(codes(read) == wanted.codes)
            for shown in [dry.json, made.json, batch.json["data"]?[0]] {
                #expect(codes(shown) == wanted.codes)
                #expect(shown?["blockers"]?[0]?["rule"] == read["blockers"]?[0]?["rule"])
                #expect(shown?["blockers"]?[0]?["until"] == read["blockers"]?[0]?["until"])
            }
        }
    }

    @Test func whatTheDatabaseHasWrittenIsPast() async throws {
        try await APIWorld.with { world in
            world.told.change { $0.lag = .seconds(1) }
            let made = await world.create()
            let path = try #require(made["Location"])
            let read = await world.send("GET", path)
            let explained = await world.send("GET", path + "/explain")
            for shown in [made, read, explained] { #expect(codes(shown.json) == ["slots"]) }
        }
    }

    private func codes(_ download: JSON?) -> [String?]? {
        download?["blockers"]?.arrayValue?.map { $0["code"]?.stringValue }
    }
}
