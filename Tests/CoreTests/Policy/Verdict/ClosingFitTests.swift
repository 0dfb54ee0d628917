// A download that cannot finish before a known closing waits for the next opening that is long
// enough.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct ClosingFitTests {
    /// An instant of the week that begins on Monday.
    private static func at(_ time: String) -> Timestamp {
        Policies.instant("2026-11-\(time):00Z")
    }

    /// The night is eight hours long; `\(extra)` goes into the rule.
    private static func nights(_ extra: String = "") throws -> Policy {
        try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "nights", "require": ["window night"]\(extra)}]}
            """)
    }

    /// A rate of about 1 MB/s, and the learned share of files whose rest the origin sent.
    private static func learned(resumes: Double? = nil, ranges: Double? = nil) -> LearnedFacts {
        var facts = LearnedFacts()
        let keys = LearnedKey.resumes(origin: 2)
        for _ in 1...10 {
            for quarter in 0...3 {
                facts.add(
                    1e6, .rate, to: LearnedKey.rates(origin: 2, quarter: quarter),
                    at: at("23T00:00"))
            }
            if let resumes { facts.add(resumes, .resume, to: keys, at: at("23T00:00")) }
            if let ranges { facts.add(ranges, .ranges, to: keys, at: at("23T00:00")) }
        }
        return facts
    }

    private static func candidate(
        hours: Double, _ change: (inout AdmissionCandidate) -> Void = { _ in }
    ) -> AdmissionCandidate {
        Policies.candidate(at: at("23T09:00")) {
            $0.need = Int64(hours * 3.6e9)
            $0.priority = 0.5
            $0.originKey = 2
            $0.sessionKey = 1
            change(&$0)
        }
    }

    private static func situation(
        _ policy: Policy, _ learned: LearnedFacts, at now: Timestamp
    ) -> Situation {
        Situation(now: now, policy: policy, zone: .utc, learned: learned)
    }

    private static func blockers(
        _ policy: Policy, _ candidate: AdmissionCandidate, at time: String,
        _ learned: LearnedFacts = learned()
    ) -> [BlockerCode] {
        let situation = situation(policy, learned, at: at(time))
        return Admission.policyBlockers(candidate, in: situation).map(\.code)
    }

    @Test func whatWouldNotEndBeforeTheClosingWaitsForTheNextOpening() throws {
        let policy = try Self.nights()
        let candidate = Self.candidate(hours: 3)
        #expect(Self.blockers(policy, candidate, at: "23T22:00") == [])
        #expect(Self.blockers(policy, candidate, at: "24T02:30") == [])
        #expect(Self.blockers(policy, candidate, at: "24T03:30") == [.closingWindow])
        #expect(Self.blockers(policy, candidate, at: "24T06:00") == [.window])
        let explanation = Explanation(
            candidate, in: Self.situation(policy, Self.learned(), at: Self.at("24T03:30")))
        let blocker = try #require(explanation.blockers.first)
        #expect(blocker.until == Self.at("24T22:00") && explanation.until == blocker.until)
        #expect(blocker.rule == "nights" && !blocker.isSoft)
        #expect(blocker.since < Self.at("24T03:30") && blocker.since > Self.at("24T02:30"))
        #expect(blocker.detail.contains("the window \"night\" closes at 2026-11-24T06:00:00"))
        // At any instant of two days the explanation's instant is the first without a blocker.
        for minutes in stride(from: 0, to: 2880, by: 37) {
            let now = Self.at("23T12:00") + .seconds(60 * minutes)
            let there = Self.situation(policy, Self.learned(), at: now)
            let until = try #require(Explanation(candidate, in: there).until)
            let then = Self.situation(policy, Self.learned(), at: until)
            #expect(Admission.policyBlockers(candidate, in: then).isEmpty)
            let isOpen = Admission.policyBlockers(candidate, in: there).isEmpty
            #expect(isOpen == (until == now))
        }
    }

    @Test func whatCanBeGoneOnWithBeginsUntilTheClosing() throws {
        let policy = try Self.nights()
        let wait = [BlockerCode.closingWindow]
        for (facts, expected) in [
            (Self.learned(resumes: 1), []), (Self.learned(resumes: 0), wait),
            (Self.learned(ranges: 1), []), (Self.learned(ranges: 0), wait),
            // The origin's behaviour counts more than its announcement.
            (Self.learned(resumes: 0, ranges: 1), wait), (Self.learned(resumes: 1, ranges: 0), []),
        ] {
            let found = Self.blockers(policy, Self.candidate(hours: 3), at: "24T05:00", facts)
            #expect(found == expected)
        }
        let begun = Self.candidate(hours: 3) { $0.isResumable = true }
        #expect(Self.blockers(policy, begun, at: "24T05:00") == [])
    }

    /// Unknown sizes and closings hold nothing back, and no download waits for an opening that
    /// never comes.
    @Test func whatIsNotKnownHoldsNothing() throws {
        let policy = try Self.nights()
        let unknown = Self.candidate(hours: 0)
        #expect(Self.blockers(policy, unknown, at: "24T05:00") == [])
        let three = Self.candidate(hours: 3)
        #expect(Self.blockers(policy, three, at: "24T05:00", LearnedFacts()) == [])
        // Nine hours fit into no night.
        let nine = Self.candidate(hours: 9)
        for time in ["23T22:00", "24T05:00"] {
            #expect(Self.blockers(policy, nine, at: time) == [])
        }
        // A size that is learned counts.
        var facts = Self.learned()
        for _ in 1...9 {
            facts.add(
                1.1e10, .size, to: LearnedKey.sizes(session: 1, origin: 2), at: Self.at("23T00:00"))
        }
        #expect(Self.blockers(policy, unknown, at: "24T05:00", facts) == [.closingWindow])
        #expect(Self.blockers(policy, unknown, at: "24T01:00", facts) == [])
    }

    /// A transfer that cannot be continued runs on when a soft rule closes, so no bytes are lost
    /// there.
    @Test func softRulesHoldNothingBackBeforeTheyClose() throws {
        let soft = try Self.nights(#", "soft": true"#)
        let candidate = Self.candidate(hours: 3)
        #expect(Self.blockers(soft, candidate, at: "24T05:00") == [])
        let stop = try Self.nights(#", "soft": true, "at_close": "stop""#)
        #expect(Self.blockers(stop, candidate, at: "24T05:00") == [])
        #expect(Self.blockers(soft, candidate, at: "24T06:30") == [.window])
        // A hard rule counts beside them, even if both name one window.
        for window in ["night", "half"] {
            let both = try Policies.read(
                """
                {"windows": {"night": ["22:00-06:00"], "half": ["22:00-02:00"]},
                 "rules": [{"name": "halves", "require": ["window \(window)"], "soft": true},
                           {"name": "nights", "require": ["window night"]}]}
                """)
            // The half ends before the transfer does, the night does not.
            #expect(Self.blockers(both, candidate, at: "24T00:30") == [])
            #expect(
                Self.blockers(both, candidate, at: "24T05:00").contains(.closingWindow)
                    == (window == "night"))
        }
    }

    @Test func nearDeadlinesLeaveOutTheRulesAtWhoseEndARunGoesOn() throws {
        let due = Self.candidate(hours: 3) {
            $0.deadline.complete = Self.at("24T07:40")
        }
        let finish = try Self.nights()
        let stop = try Self.nights(#", "at_close": "stop""#)
        #expect(Self.blockers(finish, due, at: "24T05:00") == [])
        #expect(Self.blockers(stop, due, at: "24T05:00") == [.closingWindow])
    }

    /// A value that is announced closes like a window.
    @Test func anAnnouncedValueClosesLikeAWindow() throws {
        let policy = try Policies.read(
            """
            {"conditions": {"price": {"type": "number"}},
             "rules": [{"name": "cheap", "require": ["price < 0.5"]}]}
            """)
        let now = Self.at("23T10:00")
        var book = ConditionBook(policy, at: now)
        let steps = [("23T12:00", 0.9), ("23T18:00", 0.1)].map { time, value in
            ConditionPush.Step(from: Self.at(time), value: .number(value))
        }
        book.take(
            ConditionPush(value: .number(0.1), pushedAt: now, schedule: steps), of: "price",
            at: now)
        let situation = Situation(
            now: now, policy: policy, zone: .utc, conditions: book, learned: Self.learned())
        let candidate = Self.candidate(hours: 3)
        let blocker = try #require(Admission.policyBlockers(candidate, in: situation).first)
        #expect(blocker.code == .closingWindow && blocker.until == Self.at("23T18:00"))
        #expect(Admission.policyBlockers(Self.candidate(hours: 1), in: situation).isEmpty)
    }

    /// The claim of a lane and the explanation of its downloads agree on every size.
    @Test func theRoomOfALaneIsTheVerdictOverEachOfItsDownloads() throws {
        let policy = try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"], "nap": ["Sun 12:00-13:00"]},
             "rules": [{"name": "nights", "require": ["window night"],
                        "match": {"session": "s"}},
                       {"name": "days", "require": ["not window night"], "soft": true,
                        "match": {"session": "other"}},
                       {"name": "no-nap", "require": ["not window nap"]}]}
            """)
        for minutes in stride(from: 5, to: 480, by: 25) {
            let now = Self.at("23T22:00") + .seconds(60 * minutes)
            let situation = Self.situation(policy, Self.learned(), at: now)
            let lane = Self.candidate(hours: 0) { $0.priority = nil }
            let room = Admission.closingRoom(
                lane, matching: policy.allRules, in: situation)
            for hours in stride(from: 0.1, to: 30, by: 0.7) {
                let candidate = Self.candidate(hours: hours)
                let isHeld = Admission.policyBlockers(candidate, in: situation)
                    .contains { $0.code == .closingWindow }
                let passes = room.map {
                    candidate.need <= $0.most || candidate.need > $0.longest
                }
                #expect(isHeld == !(passes ?? true), "\(minutes) min, \(hours) h")
            }
        }
    }
}
