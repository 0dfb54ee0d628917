// Discretionary runs that are stopped for more urgent work: which runs, when, and how many.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct ConductorYieldTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private static func head(_ lane: Int64, _ kind: SchedulingClass) -> LaneHead {
        LaneHead(
            lane: lane, runAt: start, sessionKey: 1, session: "s", originKey: lane,
            schedulingClass: kind, rank: 2, origin: GateReading(), sessionGate: GateReading())
    }

    private static func run(_ number: Int64, _ kind: SchedulingClass) -> ClaimedRun {
        var run = ClaimedRun(id: Identifier(high: 1, low: UInt64(number)), fence: number)
        run.flow = LaneFlow(app: 1, session: 1, origin: number)
        (run.lane, run.schedulingClass) = (number, kind)
        return run
    }

    /// A replica whose slots are taken by runs of the classes given.
    private static func full(
        _ kinds: [SchedulingClass], floor: Double = 0
    ) throws -> Conductor {
        let policy = try Policies.read("{\"shares\": {\"discretionary_floor\": \(floor)}}")
        var conductor = Conductor(
            policy: policy, zone: .utc, slots: kinds.count, pollInterval: .seconds(1))
        _ = conductor.handle(.ticked, at: start)
        let heads = kinds.enumerated().map { head(Int64($0 + 1), $1) }
        _ = conductor.handle(.lanesLoaded(LanePage(heads: heads)), at: start)
        let runs = kinds.enumerated().map { run(Int64($0 + 1), $1) }
        _ = conductor.handle(.claimed(runs), at: start)
        return conductor
    }

    private static func states(_ slack: [Int64?]) -> [RunState] {
        slack.enumerated().map { place, seconds in
            RunState(
                id: Identifier(high: 1, low: UInt64(place + 1)), fence: Int64(place + 1), bytes: 1,
                slackUntil: seconds.map { start + .seconds($0) })
        }
    }

    /// The runs that are stopped once lanes of a class wait, with the slack that each run has.
    private static func stopped(
        _ kinds: [SchedulingClass], slack: [Int64?], waiting: [SchedulingClass], floor: Double = 0
    ) throws -> [Int64] {
        var conductor = try full(kinds, floor: floor)
        var actions = conductor.handle(.arrived(states(slack)), at: start + .seconds(2))
        actions += conductor.handle(.hinted, at: start + .seconds(2))
        let heads = waiting.enumerated().map { head(Int64($0 + 100), $1) }
        actions += conductor.handle(
            .lanesLoaded(LanePage(heads: heads)), at: start + .seconds(2))
        for _ in 0..<5 { actions += conductor.handle(.ticked, at: start + .seconds(2)) }
        return actions.compactMap {
            if case .stop(_, let fence, .yield) = $0 { fence } else { nil }
        }
    }

    @Test func theRunWithTheMostTimeIsStoppedForMoreUrgentWork() throws {
        let stopped = try Self.stopped(
            [.discretionary, .discretionary, .normal], slack: [100, 200, nil], waiting: [.normal])
        #expect(stopped == [2])
    }

    @Test func oneRunIsStoppedForEachLaneThatWaits() throws {
        let kinds: [SchedulingClass] = [.discretionary, .discretionary, .discretionary]
        #expect(
            try Self.stopped(kinds, slack: [11, 12, 13], waiting: [.normal, .normal]) == [3, 2])
        let many = [SchedulingClass](repeating: .normal, count: 9)
        #expect(try Self.stopped(kinds, slack: [11, 12, 13], waiting: many) == [3, 2, 1])
    }

    /// A run that is late has no deadline to lose any more; of several, the one that is late for
    /// the least time is stopped.
    @Test func aRunThatIsLateIsStoppedFirst() throws {
        let kinds: [SchedulingClass] = [.discretionary, .discretionary, .discretionary]
        #expect(try Self.stopped(kinds, slack: [1, 9, 100], waiting: [.normal]) == [1])
        let both: [SchedulingClass] = [.normal, .normal]
        #expect(try Self.stopped(kinds, slack: [0, 1, 100], waiting: both) == [2, 1])
        // The present instant is the third second.
        #expect(try Self.stopped(kinds, slack: [3, 2, 1], waiting: both) == [2, 3])
    }

    @Test func nothingIsStoppedWithoutNeedOrLeave() throws {
        let both: [SchedulingClass] = [.discretionary, .normal]
        #expect(try Self.stopped(both, slack: [9, nil], waiting: [.discretionary]).isEmpty)
        #expect(try Self.stopped(both, slack: [9, nil], waiting: []).isEmpty)
        // A run that cannot be continued, has just begun or is nearly over is not stopped.
        #expect(try Self.stopped(both, slack: [nil, nil], waiting: [.normal]).isEmpty)
        #expect(try Self.stopped([.normal, .normal], slack: [9, 9], waiting: [.normal]).isEmpty)
    }

    /// Urgent work does not take the part of the slots that is kept for discretionary downloads.
    @Test(arguments: [(0.0, 4), (0.25, 3), (0.5, 2), (1.0, 0)])
    func theFloorIsKept(_ floor: Double, _ count: Int) throws {
        let kinds = [SchedulingClass](repeating: .discretionary, count: 4)
        let stopped = try Self.stopped(
            kinds, slack: [1, 2, 3, 4], waiting: Array(repeating: .normal, count: 9), floor: floor)
        #expect(stopped.count == count)
    }

    /// A replica with a free slot gives that slot away first.
    @Test func aFreeSlotStopsNothing() throws {
        var conductor = try Self.full([.discretionary, .discretionary])
        _ = conductor.handle(.arrived(Self.states([5, 6])), at: Self.start + .seconds(2))
        let ended = Self.run(1, .discretionary)
        _ = conductor.handle(
            .ended(ended.id, fence: ended.fence, bytes: 1), at: Self.start + .seconds(2))
        let actions = conductor.handle(
            .lanesLoaded(LanePage(heads: [Self.head(100, .normal)])), at: Self.start + .seconds(2))
        let stops = actions.contains { if case .stop = $0 { true } else { false } }
        let claims = actions.contains { if case .claim = $0 { true } else { false } }
        #expect(!stops && claims)
    }

    /// The runs that are stopped while slots are free: runs of class and slack at one origin with
    /// two places, for lanes that wait for it or for another origin.
    private static func stoppedAtOrigin(
        waiting kind: SchedulingClass, at origin: Int64, due seconds: Int64? = nil,
        slack: [Int64?] = [5, 6], near runsDue: Int64? = nil, floor: Double = 0
    ) throws -> [Int64] {
        let policy = try Policies.read("{\"shares\": {\"discretionary_floor\": \(floor)}}")
        var conductor = Conductor(
            policy: policy, zone: .utc, slots: 8, pollInterval: .seconds(1))
        _ = conductor.handle(.ticked, at: start)
        func head(
            _ lane: Int64, _ kind: SchedulingClass, at origin: Int64, running: Int
        )
            -> LaneHead
        {
            var head = Self.head(lane, kind)
            head.originKey = origin
            head.origin = GateReading(running: running, limit: 2)
            return head
        }
        var first = head(1, .discretionary, at: 1, running: 0)
        first.dueBucket = runsDue.map { start + .seconds($0) }
        _ = conductor.handle(.lanesLoaded(LanePage(heads: [first])), at: start)
        let runs = [Int64(1), 2].map { number in
            var run = run(number, .discretionary)
            run.flow = LaneFlow(app: 1, session: 1, origin: 1)
            if runsDue != nil { run.lane = 1 }
            return run
        }
        _ = conductor.handle(.claimed(runs), at: start)
        let later = start + .seconds(2)
        var actions = conductor.handle(.arrived(states(slack)), at: later)
        var other = head(100, kind, at: origin, running: origin == 1 ? 2 : 0)
        other.dueBucket = seconds.map { later + .seconds($0) }
        actions += conductor.handle(.hinted, at: later)
        actions += conductor.handle(.lanesLoaded(LanePage(heads: [other])), at: later)
        for _ in 0..<5 { actions += conductor.handle(.ticked, at: later) }
        return actions.compactMap {
            if case .stop(_, let fence, .yield) = $0 { fence } else { nil }
        }
    }

    /// A second run is stopped only after the first has freed its place at the origin.
    @Test func aFullOriginStopsARunForMoreUrgentWork() throws {
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1) == [2])
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1, slack: [6, 5]) == [1])
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 2).isEmpty)
        #expect(try Self.stoppedAtOrigin(waiting: .discretionary, at: 1).isEmpty)
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1, slack: [nil, nil]).isEmpty)
        // A run that began because its deadline was near is stopped for other urgent work, not for
        // another discretionary download.
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1, near: 60) == [2])
        #expect(
            try Self.stoppedAtOrigin(waiting: .discretionary, at: 1, due: 60, near: 60).isEmpty)
        // A run that is late is not guarded any more.
        #expect(
            try Self.stoppedAtOrigin(
                waiting: .discretionary, at: 1, due: 60, slack: [1, 6], near: 60) == [1])
        // Discretionary downloads keep slots, not places of an origin, and slots are free.
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1, floor: 0.5) == [2])
        #expect(try Self.stoppedAtOrigin(waiting: .normal, at: 1, floor: 1).isEmpty)
        // A deadline that is near is urgent, one that has time is not.
        #expect(try Self.stoppedAtOrigin(waiting: .discretionary, at: 1, due: 60) == [2])
        #expect(
            try Self.stoppedAtOrigin(waiting: .discretionary, at: 1, due: 800_000).isEmpty)
    }
}
