// The division of a wait by the reasons that held it back, against the verdict asked minute by
// minute.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct BlockedTimeTests {
    /// Monday 2 March 2026, 00:00 UTC.
    private static let start = Timestamp(seconds: 1_772_409_600)

    private static func at(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }

    private static func policy(_ text: String) throws -> Policy {
        try #require(
            Policy.read(
                try JSON.parse(Array(text.utf8)), defaults: PolicyLimits(perOrigin: 6),
                isZone: { $0 == "UTC" }
            ).policy)
    }

    private static func candidate(runAt: Timestamp, attempt: Int = 0) -> AdmissionCandidate {
        AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: runAt, waitingSince: runAt,
            runAt: runAt, attempt: attempt, origin: GateReading(), sessionGate: GateReading())
    }

    private static func seconds(_ time: BlockedTime) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: time.parts.map { ($0.key.rawValue, $0.value / 1000) })
    }

    @Test func withoutRulesAWaitIsItsDateAndThenSlots() throws {
        let history = FactsHistory(try Self.policy("{}"), .utc, at: Self.start)
        let time = BlockedTime(
            of: Self.candidate(runAt: Self.at(60)), from: Self.at(0), to: Self.at(90),
            in: history)
        #expect(Self.seconds(time) == ["earliest_begin_date": 3600, "slots": 1800])
        let retry = BlockedTime(
            of: Self.candidate(runAt: Self.at(2), attempt: 1), from: Self.at(0), to: Self.at(3),
            in: history)
        #expect(Self.seconds(retry) == ["retry_backoff": 120, "slots": 60])
        // A download claimed before its date, by another clock, and one that was not claimed.
        let early = BlockedTime(
            of: Self.candidate(runAt: Self.at(9)), from: Self.at(0), to: Self.at(1), in: history)
        #expect(Self.seconds(early) == ["earliest_begin_date": 60])
        let none = BlockedTime(
            of: Self.candidate(runAt: Self.at(0)), from: Self.at(1), to: Self.at(1), in: history)
        #expect(none.total == 0 && none.stored == nil)
    }

    @Test func aWindowHoldsFromTheDateToItsOpening() throws {
        let policy = try Self.policy(
            """
            {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "n", "require": ["window night"]}]}
            """)
        let history = FactsHistory(policy, .utc, at: Self.start)
        // The download was created at 03:00 for 05:00, and claimed at 23:00.
        let time = BlockedTime(
            of: Self.candidate(runAt: Self.at(300)), from: Self.at(180), to: Self.at(1380),
            in: history)
        #expect(
            Self.seconds(time) == [
                "earliest_begin_date": 7200, "slots": 7200, "window": 16 * 3600,
            ])
        #expect(BlockedTime(stored: try #require(time.stored)) == time)
    }

    @Test func aSuspendedSessionCountsBeforeRulesAndPlaces() throws {
        let policy = try Self.policy(
            """
            {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "n", "require": ["window night"]}]}
            """)
        let history = FactsHistory(policy, .utc, at: Self.start)
        // The download is due at 05:00; it was suspended before that, from 05:30 to 08:00, and from
        // 21:00 on.
        let suspensions = Suspensions(
            changes: [60, 120, 330, 480, 1260].map(Self.at), until: Self.at(1380))
        func parts(to end: Int) -> [String: Int64] {
            Self.seconds(
                BlockedTime(
                    of: Self.candidate(runAt: Self.at(300)), from: Self.at(0), to: Self.at(end),
                    in: history, suspensions: suspensions))
        }
        let date: Int64 = 18_000
        let before: [String: Int64] = ["earliest_begin_date": date, "slots": 1800]
        let during = before.merging(["session_suspended": 9000, "window": 3600]) { $1 }
        let again = before.merging(["session_suspended": 16_200, "window": 46_800]) { $1 }
        #expect(parts(to: 300) == ["earliest_begin_date": date])
        #expect(parts(to: 330) == before)
        #expect(parts(to: 540) == during)
        #expect(parts(to: 1380) == again)
    }

    @Test func anotherPolicyCountsFromItsInstantOn() throws {
        var history = FactsHistory(try Self.policy("{}"), .utc, at: Self.start)
        let closed = try Self.policy(#"{"bandwidth": "0"}"#)
        history.take(closed, .utc, at: Self.at(10))
        history.take(try Self.policy("{}"), .utc, at: Self.at(25))
        let time = BlockedTime(
            of: Self.candidate(runAt: Self.at(0)), from: Self.at(0), to: Self.at(30),
            in: history)
        #expect(Self.seconds(time) == ["slots": 900, "bandwidth_zero": 900])
    }

    private static let rules = """
        {"time_zone": "UTC",
         "windows": {"night": ["22:00-06:00"], "lunch": ["12:00-13:00"]},
         "conditions": {"go": {"type": "boolean"}, "price": {"type": "number", "default": 1}},
         "rules": [{"name": "n", "require": ["not window lunch"]},
                   {"name": "g", "require": ["go = true"]},
                   {"name": "s", "require": ["window night", "price < 5"], "soft": true}],
         "bandwidth": "00:00,off 03:00,0 04:00,off"}
        """

    @Test func whatIsOlderThanTheHistoryIsForgotten() throws {
        let policy = try Self.policy(Self.rules)
        var book = ConditionBook(policy, at: Self.start)
        var history = FactsHistory(policy, .utc, at: Self.start)
        let requirement = try #require(policy.rules[1].requirements.first)
        for day in 0..<40 {
            let now = Self.at(1440 * day)
            book.take(
                ConditionPush(value: .flag(day.isMultiple(of: 2)), pushedAt: now), of: "go",
                at: now)
            history.note(book, at: now)
        }
        #expect((8...10).contains(history.pieces(of: requirement).count))
        history.take(try Self.policy("{}"), .utc, at: Self.at(1440 * 40))
        #expect(!history.pieces(of: requirement).isEmpty)
    }
}
