// The downloads that an outage holds back, the explanation that they show, and the claims of a
// replica during it.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct OutageAdmissionTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let policy = Policy(limits: Policies.limits)

    private static func situation(_ network: Outage? = nil) -> Situation {
        var situation = Situation(now: now, policy: policy, zone: .utc)
        situation.network = network
        return situation
    }

    private static func outage(in seconds: Int64) -> Outage {
        Outage(since: now - .seconds(60), probeAt: now + .seconds(seconds))
    }

    private static func candidate(_ flags: LaneFlags, _ outage: Outage?) -> AdmissionCandidate {
        Policies.candidate(at: now - .seconds(90)) {
            $0.laneFlags = flags
            $0.origin.outage = outage
            $0.isDiscretionary = false
        }
    }

    /// Every way to wait, with an origin and a network that are tried later, now, or that work.
    @Test func anOutageHoldsBackWhatWaitsForIt() {
        let states = [nil, Self.outage(in: 10), Self.outage(in: 0)]
        let all: [LaneFlags] = [
            .anyNetwork, [.anyNetwork, .impatient], [.anyNetwork, .alone], [.anyNetwork, .apart],
        ]
        for flags in all {
            for origin in states {
                for whole in states {
                    let found = Admission.blockers(
                        Self.candidate(flags, origin), in: Self.situation(whole))
                    var codes: [BlockerCode] = []
                    let waits = !flags.contains(.impatient)
                    if waits, whole == states[1] { codes.append(.connectivity) }
                    if flags == .anyNetwork, origin != nil { codes.append(.originUnreachable) }
                    #expect(found.map(\.code) == (codes.isEmpty ? [.slots] : codes))
                    for blocker in found where blocker.code != .slots {
                        #expect(blocker.since == Self.now - .seconds(60))
                        let isLater = blocker.code == .connectivity || origin == states[1]
                        #expect(blocker.until == (isLater ? Self.now + .seconds(10) : nil))
                    }
                }
            }
        }
    }

    @Test func timeOfAnOutageCountsForIt() {
        var history = FactsHistory(Self.policy, .utc, at: Self.now)
        func at(_ seconds: Int64) -> Timestamp { Self.now + .seconds(seconds) }
        history.note(Outage(since: at(10), probeAt: at(15)), of: 7, at: at(10))
        history.note(Outage(since: at(10), probeAt: at(315)), of: 7, at: at(15))
        history.note(nil, of: 7, at: at(20))
        history.note(nil, of: 7, at: at(21))
        history.note(Outage(since: at(30), probeAt: at(35)), of: nil, at: at(30))
        history.note(nil, of: nil, at: at(34))
        func parts(_ flags: LaneFlags, origin: Int64) -> [String: Int64] {
            var candidate = Self.candidate(flags, nil)
            candidate.runAt = Self.now
            candidate.originKey = origin
            let time = BlockedTime(of: candidate, from: Self.now, to: at(40), in: history)
            return Dictionary(
                uniqueKeysWithValues: time.parts.map { ($0.key.rawValue, $0.value / 1000) })
        }
        #expect(
            parts(.anyNetwork, origin: 7) == [
                "origin_unreachable": 10, "connectivity": 4, "slots": 26,
            ])
        #expect(parts(.anyNetwork, origin: 8) == ["connectivity": 4, "slots": 36])
        #expect(parts([.anyNetwork, .impatient], origin: 7) == ["slots": 40])
        #expect(parts([.anyNetwork, .alone], origin: 7) == ["connectivity": 4, "slots": 36])
        #expect(history.unreachableOrigins(at: at(18)) == 0, "it is reached again")
    }

    // MARK: claims

    private static func head(
        _ lane: Int64, origin: Int64, _ outage: Outage? = nil,
        flags: LaneFlags = .anyNetwork
    ) -> LaneHead {
        var head = ConductorTests.head(lane, at: now)
        head.originKey = origin
        head.origin.outage = outage
        head.laneFlags = flags
        return head
    }

    private static let impatient: LaneFlags = [.anyNetwork, .impatient]

    private static func quotas(_ actions: [ConductorAction]) -> [Int64: Int]? {
        for case .claim(let order) in actions {
            return Dictionary(uniqueKeysWithValues: order.quotas.map { ($0.head.lane, $0.count) })
        }
        return nil
    }

    private static func wake(_ actions: [ConductorAction]) -> Timestamp? {
        for case .wake(let at) in actions { return at }
        return nil
    }

    private static func looked(_ heads: [LaneHead]) -> (Conductor, [ConductorAction]) {
        var conductor = ConductorTests.conductor(slots: 8)
        _ = conductor.handle(.ticked, at: now)
        let actions = conductor.handle(.lanesLoaded(heads: heads), at: now)
        return (conductor, actions)
    }

    @Test func nothingIsAskedOfAnOriginBeforeItIsTriedAgain() {
        let outage = Outage(since: Self.now, probeAt: Self.now + .seconds(2))
        let (conductor, actions) = Self.looked([Self.head(1, origin: 1, outage)])
        #expect(Self.quotas(actions) == nil)
        #expect(Self.wake(actions) == outage.probeAt)
        var later = conductor
        #expect(Self.quotas(later.handle(.ticked, at: outage.probeAt)) == [1: 1])
        let (_, actionsOfImpatient) = Self.looked([
            Self.head(1, origin: 1, outage, flags: Self.impatient)
        ])
        #expect(Self.quotas(actionsOfImpatient)?[1] ?? 0 > 1, "it does not wait")
    }

    /// However many lanes an origin has, one of its downloads is asked for at a time.
    @Test func oneDownloadTriesForAllLanesOfAnOrigin() throws {
        let due = Self.outage(in: 0)
        let lanes = (1...50).map { Self.head($0, origin: 1, due) }
        var (conductor, actions) = Self.looked(lanes)
        let first = try #require(Self.quotas(actions))
        #expect(first.values.reduce(0, +) == 1 && first.count == 1)
        let lane = try #require(first.keys.first)
        var run = ConductorTests.run(1)
        run.lane = lane
        run.flow = LaneFlow(app: 1, session: 1, origin: 1)
        run.isProbe = true
        actions = conductor.handle(.claimed([run], due: [lane: Self.now]), at: Self.now)
        #expect(Self.quotas(actions) == nil, "the others wait for what it finds")
        let held = Outage(since: Self.now, probeAt: Self.now + .seconds(300))
        let closed = (1...50).map { Self.head($0, origin: 1, held) }
        actions = conductor.handle(.lanesLoaded(heads: closed), at: Self.now)
        #expect(Self.quotas(actions) == nil)
        // The origin is reached: all its downloads may be claimed.
        actions = conductor.handle(.told(.reached, origin: 1), at: Self.now)
        #expect(try #require(Self.quotas(actions)).values.reduce(0, +) > 1)
    }

    /// Sixty origins are not reached: an eighth of the slots tries them, each in its turn, and the
    /// other slots are for origins that are reached.
    @Test func probesHoldAnEighthOfTheSlots() {
        var world = DeadOrigins(count: 60, slots: 16)
        world.run(steps: 3000)
        #expect(world.most == 2, "an eighth of sixteen")
        #expect(world.alive > 60, "one that is reached goes on")
        #expect(world.tried.count == 60 && Set(world.tried).count == 60, "each once")
    }

    @Test func aProbeThatAnotherReplicaSentIsNotAskedForAgainAtOnce() {
        let lanes = (1...50).map { Self.head($0, origin: 1, Self.outage(in: 0)) }
        var (conductor, actions) = Self.looked(lanes)
        var claims = 0
        var now = Self.now
        while Self.quotas(actions) != nil, claims < 10 {
            claims += 1
            actions = conductor.handle(.claimed([], due: [:]), at: now)
            now = now + .milliseconds(1)
        }
        #expect(claims == 1)
    }

    @Test func oneDownloadTriesForTheWholeNetwork() throws {
        var (conductor, actions) = Self.looked([])
        for origin in 1...3 {
            _ = conductor.handle(
                .told(.missed(hasRoute: true), origin: Int64(origin)), at: Self.now)
        }
        let lanes =
            (1...20).map { Self.head($0, origin: $0 + 10) } + [
                Self.head(21, origin: 40, flags: Self.impatient)
            ]
        _ = conductor.handle(.hinted, at: Self.now)
        actions = conductor.handle(.lanesLoaded(heads: lanes), at: Self.now)
        #expect(Self.quotas(actions)?.keys.sorted() == [21], "only what does not wait")
        var impatient = ConductorTests.run(1)
        impatient.lane = 21
        impatient.waitsForConnectivity = false
        actions = conductor.handle(.claimed([impatient]), at: Self.now)
        let due = Self.now + .seconds(5)
        _ = conductor.handle(.lanesLoaded(heads: []), at: Self.now)
        actions = conductor.handle(.ticked, at: due)
        if Self.quotas(actions) == nil {
            actions = conductor.handle(.lanesLoaded(heads: Array(lanes.prefix(20))), at: due)
        }
        let probe = try #require(Self.quotas(actions))
        #expect(probe.values.reduce(0, +) == 1)
        var run = ConductorTests.run(2)
        run.lane = try #require(probe.keys.first)
        actions = conductor.handle(.claimed([run], due: [run.lane: due]), at: due)
        #expect(Self.quotas(actions) == nil)
        #expect(conductor.network.outage?.probeAt == due + .seconds(300))
        actions = conductor.handle(.told(.reached, origin: run.lane + 10), at: due)
        #expect(conductor.network.outage == nil)
        for _ in 0..<4 where Self.quotas(actions) == nil {
            actions = conductor.handle(.lanesLoaded(heads: lanes), at: due)
        }
        #expect(try #require(Self.quotas(actions)).values.reduce(0, +) > 1)
    }
}
