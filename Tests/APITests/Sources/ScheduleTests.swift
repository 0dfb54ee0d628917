// Schedules are tried before a source has them.
import Base
import Testing

@testable import API

@Suite struct ScheduleTests {
    @Test func answersTheNextTwentyInstantsWithChangesOfTheClock() async throws {
        try await APIWorld.with { world in
            let reply = await world.send(
                "POST", "/v1/sources/try",
                """
                {"schedule": {"cron": "30 2 * * *", "time_zone": "Europe/Paris"},
                 "after": "2026-03-28T12:00:00Z"}
                """)
            #expect(reply.status == 200)
            let instants = reply.json["instants"]?.arrayValue ?? []
            #expect(instants.count == 20)
            #expect(instants.first?["at"]?.stringValue == "2026-03-29T01:00:00.000Z")
            #expect(instants.first?["local"]?.stringValue == "2026-03-29T03:00:00+02:00")
            #expect(instants.first?["clock_change"]?.stringValue == "gap")
            #expect(instants.dropFirst().allSatisfy { $0["clock_change"]?.isNull == true })
        }
    }

    @Test(arguments: [
        (#"{"schedule": {"every": "6h"}, "after": "2026-01-01T00:00:00Z"}"#, "06:00:00.000Z"),
        (#"{"schedule": {"every": "auto"}, "after": "2026-01-01T00:00:00Z"}"#, "01:00:00.000Z"),
        (
            """
            {"schedule": {"every": "6h", "between": {"from": "2026-01-01T07:00:00Z"}},
             "after": "2026-01-01T00:00:00Z"}
            """,
            "12:00:00.000Z"
        ),
    ])
    func theFirstLookFollowsTheRule(_ body: String, _ expected: String) async throws {
        try await APIWorld.with { world in
            let reply = await world.send("POST", "/v1/sources/try", body)
            let first = reply.json["instants"]?.arrayValue?.first?["at"]?.stringValue ?? ""
            #expect(first.hasSuffix(expected), "\(reply.json)")
        }
    }

    @Test(arguments: [
        ("{}", "#/schedule"),
        (#"{"schedule": "6h"}"#, "#/schedule"),
        (#"{"schedule": {}}"#, "#/schedule/every"),
        (#"{"schedule": {"every": "29s"}}"#, "#/schedule/every"),
        (#"{"schedule": {"every": "367d"}}"#, "#/schedule/every"),
        (#"{"schedule": {"every": "often"}}"#, "#/schedule/every"),
        (#"{"schedule": {"every": 60}}"#, "#/schedule/every"),
        (#"{"schedule": {"every": "6h", "cron": "* * * * *"}}"#, "#/schedule/cron"),
        (#"{"schedule": {"every": "6h", "time_zone": "Europe/Paris"}}"#, "#/schedule/time_zone"),
        (#"{"schedule": {"cron": "* * * *"}}"#, "#/schedule/cron"),
        (#"{"schedule": {"cron": "0 0 30 2 *"}}"#, "#/schedule/cron"),
        (#"{"schedule": {"cron": "* * * * *", "time_zone": "Mars/Base"}}"#, "#/schedule/time_zone"),
        (#"{"schedule": {"every": "1m", "jitter": "1m"}}"#, "#/schedule/jitter"),
        (#"{"schedule": {"every": "1m", "between": []}}"#, "#/schedule/between"),
        (
            """
            {"schedule": {"every": "1m", "between":
             {"from": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}}}
            """,
            "#/schedule/between/until"
        ),
        (#"{"schedule": {"every": "6h", "often": true}}"#, "#/schedule/often"),
        (#"{"schedule": {"every": "6h"}, "after": "tomorrow"}"#, "#/after"),
    ])
    func faultsAreNamedAtTheirPlace(_ body: String, _ pointer: String) async throws {
        try await APIWorld.with { world in
            let reply = await world.send("POST", "/v1/sources/try", body)
            #expect(reply.status == 422)
            let pointers = reply.json["errors"]?.arrayValue?.map { $0["pointer"]?.stringValue }
            #expect(pointers == [pointer], "\(reply.json)")
        }
    }
}
