// The rules' verdict: hard and soft, the curve, deadlines, sentences.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct PolicyVerdictTests {
    private static let monday = Policies.instant("2026-11-23T09:00:00Z")

    private static func nightsAndLoad() throws -> Policy {
        try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "nights", "require": ["window night"], "soft": true},
                       {"name": "quiet", "require": ["load_per_core < 0.7"], "soft": true}]}
            """)
    }

    private static func judge(
        _ policy: Policy, _ candidate: AdmissionCandidate, at now: Timestamp, load: Double? = nil
    ) -> PolicyVerdict {
        var book = ConditionBook(policy, at: monday)
        if let load { book.take(measured: [(.loadPerCore, .number(load))], at: monday) }
        return PolicyVerdict(
            candidate, in: Situation(now: now, policy: policy, zone: .utc, conditions: book))
    }

    /// The example: Monday 09:00, nights and load, twelve hours of life.
    @Test func aWindowIsHeldAndLoadIsOnTheCurve() throws {
        let policy = try Self.nightsAndLoad()
        let candidate = Policies.candidate(at: Self.monday) { $0.rank = 1 }
        let verdict = Self.judge(policy, candidate, at: Self.monday, load: 1.3)
        #expect(verdict.curve.end == Policies.instant("2026-11-24T06:00:00Z"))
        #expect(verdict.blockers.map(\.code) == [.window, .condition])
        #expect(verdict.blockers.allSatisfy { $0.isSoft })
        #expect(verdict.blockers[0].until == Policies.instant("2026-11-23T22:00:00Z"))
        #expect(verdict.blockers[0].waivedAt == nil)
        let waiver = Policies.instant("2026-11-24T01:48:00Z")
        #expect(verdict.blockers[1].waivedAt == waiver && verdict.blockers[1].until == waiver)
        #expect(verdict.opening() == waiver)
        let night = Policies.instant("2026-11-23T22:00:00Z")
        #expect(verdict.earliestKnown == night)
        #expect(Self.judge(policy, candidate, at: night, load: 0.5).isOpen)
        #expect(!Self.judge(policy, candidate, at: night, load: 1.3).isOpen)
        #expect(Self.judge(policy, candidate, at: waiver, load: 1.3).isOpen)
        #expect(!Self.judge(policy, candidate, at: waiver - .microseconds(1), load: 1.3).isOpen)
    }

    /// The example with a deadline before the night.
    @Test func aDeadlineBeforeTheWindowPutsBothOnTheCurve() throws {
        let policy = try Self.nightsAndLoad()
        let candidate = Policies.candidate(at: Self.monday) {
            $0.rank = 1
            $0.deadline.complete = Policies.instant("2026-11-23T20:00:00Z")
            $0.need = 7798 << 20
        }
        func verdict(_ time: String) -> PolicyVerdict {
            Self.judge(
                policy, candidate, at: Policies.instant("2026-11-23T\(time)Z"), load: 1.3)
        }
        let first = verdict("09:00:00")
        #expect(first.latestBegin == Policies.instant("2026-11-23T17:35:00Z"))
        #expect(first.curve.count == 2 && first.curve.end == first.latestBegin)
        #expect(first.curve.point(1) == Policies.instant("2026-11-23T15:00:30Z"))
        #expect(first.curve.point(2) == Policies.instant("2026-11-23T15:52:00Z"))
        #expect(!verdict("15:51:59").isOpen && verdict("15:52:00").isOpen)
        let calm = Self.judge(
            policy, candidate, at: Policies.instant("2026-11-23T15:00:30Z"), load: 0.1)
        #expect(calm.isOpen)
        #expect(!verdict("17:34:59").isGuarded && verdict("17:35:00").isGuarded)
    }

    @Test(arguments: [
        (1, [0.8]), (2, [0.7, 0.8]), (4, [0.5, 0.6, 0.7, 0.8]),
        (7, [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]),
    ])
    func pointsOfTheCurve(_ count: Int, _ parts: [Double]) {
        let curve = SoftCurve(
            begin: Self.monday, end: Self.monday + .seconds(100_000), count: count)
        #expect(curve.allowed(at: Self.monday) == 0)
        for (place, part) in parts.enumerated() {
            let point = Self.monday + .seconds(Int64((part * 100_000).rounded()))
            #expect(abs((curve.point(place + 1) - point).wholeMilliseconds) < 10)
            #expect(curve.allowed(at: curve.point(place + 1)) == place + 1)
            #expect(curve.allowed(at: curve.point(place + 1) - .microseconds(1)) == place)
        }
        #expect(curve.allowed(at: curve.end) > count)
    }

    @Test func theSameRequirementHardAndSoftIsHard() throws {
        let policy = try Policies.read(
            """
            {"windows": {"never": ["Mon 00:00-00:01"]},
             "rules": [{"name": "a", "require": ["window never"], "soft": true},
                       {"name": "b", "match": {"session": "s"}, "require": ["window never"]}]}
            """)
        let late = Self.monday + .seconds(3 * 86_400)
        let candidate = Policies.candidate(at: Self.monday)
        let verdict = Self.judge(policy, candidate, at: late)
        #expect(verdict.blockers.map(\.rule) == ["b"] && !verdict.blockers[0].isSoft)
        let other = Policies.candidate(at: Self.monday) { $0.session = "t" }
        #expect(Self.judge(policy, other, at: Self.monday).blockers.map(\.isSoft) == [true])
    }

    @Test func aMeasuredRequirementUnseenForThreeDaysIsNotWaitedFor() throws {
        let policy = try Self.nightsAndLoad()
        let now = Policies.instant("2026-11-26T23:00:00Z")
        let candidate = Policies.candidate(at: now)
        #expect(Self.judge(policy, candidate, at: now, load: 1.3).isOpen)
        let sooner = Policies.instant("2026-11-26T00:00:00Z")
        let before = Policies.candidate(at: sooner)
        #expect(
            Self.judge(policy, before, at: sooner, load: 1.3).blockers.map(\.code) == [.condition])
        // A download waits for a window however long it was shut, and for every hard rule.
        let hard = try Policies.read(
            #"{"rules": [{"name": "q", "require": ["load_per_core < 0.7"]}]}"#)
        #expect(!Self.judge(hard, candidate, at: now, load: 1.3).isOpen)
    }

    @Test func whatALaneDoesNotTellMayMatch() throws {
        let policy = try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "big", "match": {"expected_bytes": {"min": "10GB"}},
                        "require": ["window night"]},
                       {"name": "app", "match": {"app": "crawl*"}, "require": ["window night"]},
                       {"name": "tag", "match": {"metadata": {"kind": "iso*"}},
                        "require": ["window night"]}]}
            """)
        func rules(_ change: (inout AdmissionCandidate) -> Void) -> [String?] {
            let verdict = Self.judge(
                policy, Policies.candidate(at: Self.monday, change), at: Self.monday)
            return verdict.rules.filter { $0.outcome == .closed }.map(\.name)
        }
        #expect(rules { _ in } == ["big", "app", "tag"])
        let known = { (bytes: Int64?, kind: String) in
            CandidateMembers(expectedBytes: bytes, metadata: ["kind": .string(kind)])
        }
        #expect(
            rules {
                $0.members = known(9_999_999_999, "x"); $0.app = "media"
            } == [])
        #expect(
            rules {
                $0.members = known(10_000_000_000, "x"); $0.app = "media"
            } == ["big"])
        #expect(
            rules {
                $0.members = known(nil, "isos"); $0.app = "crawler"
            } == ["app", "tag"])
    }

    @Test func sentencesSayWhatIsKnown() throws {
        let policy = try Policies.read(
            """
            {"conditions": {"price": {"type": "number", "unit": "EUR/kWh", "default": 0.5},
                            "bare": {"type": "number"}},
             "rules": [{"name": "a", "require": ["price < 0.2 for 1m", "bare = 1",
                                               "load_per_core < 1"]}]}
            """)
        let verdict = Self.judge(
            policy, Policies.candidate(at: Self.monday), at: Self.monday, load: 1.25)
        #expect(
            verdict.blockers.map(\.detail) == [
                "discretionary downloads wait until price < 0.2 for 1m; nobody has pushed it, so "
                    + "its default 0.5 EUR/kWh counts",
                "discretionary downloads wait until bare = 1; nobody has pushed it, and it has no "
                    + "default",
                "discretionary downloads wait until load_per_core < 1; it is 1.25 now",
            ])
    }
}
