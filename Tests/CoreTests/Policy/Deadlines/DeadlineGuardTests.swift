// A deadline ends soft waiting in time, puts a lane first, and says when it cannot be met.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct DeadlineGuardTests {
    private static let monday = Policies.instant("2026-11-23T09:00:00Z")

    private static func at(_ time: String) -> Timestamp {
        Policies.instant("2026-11-\(time):00Z")
    }

    /// Nights are hard, quiet is soft.
    private static func hardNights() throws -> Policy {
        try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]}, "conditions": {"calm": {"type": "boolean"}},
             "rules": [{"name": "nights", "require": ["window night"]},
                       {"name": "quiet", "require": ["calm = true"], "soft": true}]}
            """)
    }

    private static func situation(_ policy: Policy, at now: Timestamp) -> Situation {
        var book = ConditionBook(policy, at: monday)
        _ = book.take(
            ConditionPush(value: .flag(false), pushedAt: monday), of: "calm", at: monday)
        return Situation(now: now, policy: policy, zone: .utc, conditions: book)
    }

    private static func report(
        _ policy: Policy, _ candidate: AdmissionCandidate, at now: Timestamp
    ) -> DeadlineReport {
        Explanation(candidate, in: situation(policy, at: now)).deadline
    }

    private static func due(_ deadline: Timestamp, need: Int64) -> AdmissionCandidate {
        Policies.candidate(at: monday) {
            $0.rank = 3
            $0.need = need
            $0.deadline.complete = deadline
            $0.asked.complete = deadline
        }
    }

    /// The night closes at 06:00: two hours and the margin before is the last moment.
    @Test func theGuardKeepsWithinHardWindows() throws {
        let policy = try Self.hardNights()
        let candidate = Self.due(Self.at("24T20:00"), need: 7200 << 20)
        let verdict = PolicyVerdict(candidate, in: Self.situation(policy, at: Self.monday))
        // The download needs 2 h and 2 s, and the margin is 15 min.
        #expect(verdict.latestBegin == Policies.instant("2026-11-24T03:44:58Z"))
        #expect(verdict.curve.end == verdict.latestBegin)
        // The verdict at 80 % of the time until the deadline.
        let before = Self.situation(policy, at: Self.at("23T23:59"))
        #expect(PolicyVerdict(candidate, in: before).blockers.map(\.rule) == ["quiet"])
        let after = Self.situation(policy, at: Self.at("24T00:00"))
        #expect(PolicyVerdict(candidate, in: after).isOpen)
    }

    @Test func statusFollowsTheTimeThatIsLeft() throws {
        let policy = try Self.hardNights()
        let candidate = Self.due(Self.at("24T05:00"), need: 7200 << 20)
        #expect(Self.report(policy, candidate, at: Self.at("23T23:00")).status == .onTrack)
        #expect(Self.report(policy, candidate, at: Self.at("24T02:50")).status == .guarded)
        #expect(Self.report(policy, candidate, at: Self.at("24T03:10")).status == .atRisk)
        #expect(Self.report(policy, candidate, at: Self.at("24T05:00")).status == .late)
        #expect(Self.report(policy, Policies.candidate(), at: Self.monday).status == .none)
    }

    /// The risk is known at the create: no hour of the night comes before the deadline.
    @Test func aDeadlineThatHardRulesExcludeIsAtRiskAtOnce() throws {
        let policy = try Self.hardNights()
        let excluded = Self.due(Self.at("23T21:00"), need: 0)
        let report = Self.report(policy, excluded, at: Self.monday)
        #expect(report.status == .atRisk)
        #expect(report.detail?.contains("but may run for only 0 s until") == true)
        // With a rule that stops at its close, two nights of eight hours are not sixteen hours.
        let stopping = try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "nights", "require": ["window night"], "at_close": "stop"}]}
            """)
        let long = Self.due(Self.at("25T06:00"), need: 15 * 3600 << 20)
        #expect(Self.report(stopping, long, at: Self.monday).status != .atRisk)
        let longer = Self.due(Self.at("25T06:00"), need: 16 * 3600 << 20)
        #expect(Self.report(stopping, longer, at: Self.monday).status == .atRisk)
    }

    @Test func aBeginDeadlineDoesNotSubtractTheTransfer() throws {
        let policy = try Self.hardNights()
        var candidate = Policies.candidate(at: Self.monday)
        candidate.need = 1 << 50
        candidate.deadline.begin = Self.at("24T01:00")
        candidate.asked.begin = Self.at("24T01:00")
        let report = Self.report(policy, candidate, at: Self.monday)
        #expect(report.latestBegin == Self.at("24T00:45"))
        #expect(report.status == .onTrack)
        #expect(Self.report(policy, candidate, at: Self.at("24T00:50")).status == .guarded)
        candidate.runAt = Self.at("24T01:30")
        #expect(Self.report(policy, candidate, at: Self.at("24T00:50")).status == .atRisk)
    }

    @Test func explanationsHaveTheDeadline() throws {
        let policy = try Self.hardNights()
        var writer = JSONWriter()
        let candidate = Self.due(Self.at("24T20:00"), need: 7200 << 20)
        Self.report(policy, candidate, at: Self.monday).write(to: &writer)
        #expect(
            writer.text == """
                {"complete_by":"2026-11-24T20:00:00.000Z","begin_deadline":null,\
                "latest_begin":"2026-11-24T03:44:58.000Z","status":"on_track","detail":null}
                """)
    }

    /// Guarded lanes of an app go by deadline, whatever session and rank they have; apps take
    /// turns.
    ///
    /// Lanes that are not discretionary come before them.
    @Test func guardedLanesGoByDeadlineInsideAnApp() {
        let start = Self.monday
        let numbers: [Int64] = [1, 2, 3, 4, 5, 6]
        let heads = numbers.map { number -> LaneHead in
            var head = LaneHead(
                lane: number, runAt: start, sessionKey: number, session: "s\(number)",
                originKey: number, schedulingClass: number == 6 ? .normal : .discretionary,
                rank: number == 1 ? 0 : 3, origin: GateReading(), sessionGate: GateReading())
            head.app = number == 5 ? 2 : 1
            return head
        }
        let guarded: [Int64: Timestamp] = [
            2: start + .seconds(300), 3: start + .seconds(100), 4: start + .seconds(200),
            5: start + .seconds(900),
        ]
        var plan = SlotPlan(
            heads, guarded: guarded,
            rooms: Dictionary(uniqueKeysWithValues: numbers.map { (GateKey.origin($0), 1) }),
            shares: FairShares(), floor: ClassFloor(), running: [:], capacity: 4, cost: 1e6,
            at: start)
        let quotas = plan.quotas(free: 6, spare: 0)
        #expect(quotas.map(\.head.lane) == [6, 5, 3, 4, 2, 1])
        #expect(quotas.map(\.isGuarded) == [false, true, true, true, true, false])
    }

    /// Lower classes keep their part of the slots while a crowd of lanes with near deadlines waits.
    @Test func theFloorHoldsBeneathTheGuard() {
        var floor = ClassFloor()
        var running: [ServingClass: Int] = [:]
        for count in 0..<40 {
            let next = floor.next(
                of: Set(ServingClass.allCases), running: running, capacity: 40, free: 40 - count)
            running[next ?? .guarded, default: 0] += 1
        }
        #expect(running == [.due: 32, .normal: 4, .guarded: 4])
    }

    /// The conductor opens a lane at its latest begin, and asks for it behind a normal lane.
    @Test func theConductorGuardsALaneAsTheVerdictDoes() throws {
        let policy = try Policies.read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "nights", "match": {"is_discretionary": true},
                        "require": ["window night"], "soft": true}]}
            """)
        var lane = ConductorTests.head(1, at: Self.at("23T09:00"), class: .discretionary)
        lane.dueBucket = Self.at("23T20:00")
        lane.largestNeed = 7798 << 20
        let normal = ConductorTests.head(2, at: Self.at("23T09:00"))
        func isOpen(at instant: Timestamp) -> Bool {
            var conductor = ConductorTests.conductor(slots: 1, policy: policy)
            _ = conductor.handle(.ticked, at: instant)
            let next = conductor.handle(.lanesLoaded(heads: [lane]), at: instant)
            return ConductorTests.lanes(next) != nil
        }
        let later = try #require(
            (0..<600).map { Self.at("23T09:00") + .seconds(60 * $0) }.first(where: isOpen))
        // Lanes that were read ten minutes ago are read again before a slot is given.
        let now = later - .seconds(300)
        var conductor = ConductorTests.conductor(slots: 1, policy: policy)
        _ = conductor.handle(.ticked, at: now)
        let claim = conductor.handle(.lanesLoaded(heads: [lane, normal]), at: now)
        #expect(ConductorTests.lanes(claim) == [2])
        _ = conductor.handle(.claimed([]), at: now)
        // The lane is known and opens by itself.
        #expect(ConductorTests.lanes(conductor.handle(.ticked, at: later)) == [1])
        let guardedAt = Self.at("23T17:35")
        var other = ConductorTests.conductor(slots: 1, policy: policy)
        _ = other.handle(.ticked, at: guardedAt)
        let guarded = other.handle(.lanesLoaded(heads: [normal, lane]), at: guardedAt)
        #expect(ConductorTests.lanes(guarded) == [2, 1])
    }
}
