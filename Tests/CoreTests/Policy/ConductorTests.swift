// A replica's next action, event by event.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct ConductorTests {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let limits = PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
    static let poll = Duration.seconds(5)

    static func conductor(slots: Int = 4, policy: Policy = Policy(limits: limits)) -> Conductor {
        Conductor(policy: policy, zone: .utc, slots: slots, pollInterval: poll)
    }

    static func head(
        _ lane: Int64, at runAt: Timestamp = start,
        class schedulingClass: SchedulingClass = .normal,
        rank: Int = 2, origin: GateReading = GateReading(), session: GateReading = GateReading()
    ) -> LaneHead {
        LaneHead(
            lane: lane, runAt: runAt, sessionKey: 1, session: "default", originKey: lane,
            schedulingClass: schedulingClass, rank: rank, origin: origin, sessionGate: session)
    }

    static func id(_ number: UInt64) -> Identifier { Identifier(high: 0, low: number) }

    static func run(_ number: UInt64, order: RunOrder? = nil) -> ClaimedRun {
        ClaimedRun(id: id(number), fence: Int64(number) * 10, order: order)
    }

    /// A conductor that has looked, claimed and started the runs.
    static func running(_ numbers: [UInt64], slots: Int = 4) -> Conductor {
        var conductor = conductor(slots: slots)
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [head(1)]), at: start)
        _ = conductor.handle(.claimed(numbers.map { run($0) }), at: start)
        _ = conductor.handle(.lanesLoaded(heads: []), at: start)
        return conductor
    }

    static func lanes(_ actions: [ConductorAction]) -> [Int64]? {
        for case .claim(let order) in actions { return order.quotas.map(\.head.lane) }
        return nil
    }

    @Test func looksAtOnceAndThenAtEachPoll() {
        var conductor = Self.conductor()
        #expect(conductor.handle(.ticked, at: Self.start) == [.look(.start)])
        let wake = ConductorAction.wake(at: Self.start + Self.poll)
        #expect(conductor.handle(.lanesLoaded(heads: []), at: Self.start) == [wake])
        #expect(conductor.handle(.ticked, at: Self.start + .seconds(4)) == [wake])
        #expect(conductor.handle(.ticked, at: Self.start + Self.poll) == [.look(.start)])
    }

    @Test func oneLookOrClaimAtATime() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        let wait = [ConductorAction.wake(at: Self.start + Self.poll)]
        #expect(conductor.handle(.hinted, at: Self.start) == wait)
        #expect(conductor.handle(.ticked, at: Self.start) == wait)
        let claim = conductor.handle(.lanesLoaded(heads: [Self.head(7)]), at: Self.start)
        #expect(Self.lanes(claim) == [7])
        #expect(conductor.handle(.hinted, at: Self.start) == wait)
    }

    @Test func hintDuringALookIsKept() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.hinted, at: Self.start)
        #expect(conductor.handle(.lanesLoaded(heads: []), at: Self.start) == [.look(.start)])
    }

    @Test func hintDuringAClaimIsKept() {
        var conductor = Self.conductor(slots: 2)
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: [Self.head(1)]), at: Self.start)
        _ = conductor.handle(.hinted, at: Self.start)
        let after = conductor.handle(.claimed([Self.run(1)]), at: Self.start)
        #expect(after == [.start(Self.id(1), fence: 10), .look(.start)])
    }

    @Test func startsWhatWasClaimedAndFillsTheSlots() {
        var conductor = Self.conductor(slots: 3)
        _ = conductor.handle(.ticked, at: Self.start)
        let head = Self.head(1)
        var order = ClaimOrder([LaneQuota(head: head, count: 3)], total: 3)
        order.probes = 1
        let claim = ConductorAction.claim(order)
        #expect(conductor.handle(.lanesLoaded(heads: [head]), at: Self.start) == [claim])
        let started = conductor.handle(
            .claimed([Self.run(1), Self.run(2), Self.run(3)], due: [1: Self.start]),
            at: Self.start)
        #expect(
            started == [
                .start(Self.id(1), fence: 10), .start(Self.id(2), fence: 20),
                .start(Self.id(3), fence: 30), .wake(at: Self.start + Self.poll),
            ])
        #expect(conductor.runningCount == 3)
        #expect(conductor.freeSlots == 0)
        // The lane holds more: an end leads to a claim without another look.
        let next = conductor.handle(.ended(Self.id(2), fence: 20), at: Self.start)
        var single = ClaimOrder([LaneQuota(head: head, count: 1)], total: 1)
        single.probes = 1
        #expect(next == [.claim(single)])
    }

    /// Of many slots the freed ones are given together, of few one by one.
    @Test(arguments: [
        (1, 1), (3, 1), (8, 1), (15, 1), (16, 2), (20, 2), (24, 4), (64, 24), (128, 56),
    ])
    func freeSlotsWaitForOthersOrForTheEndOfTheirTime(_ slots: Int, _ together: Int) {
        let limits = PolicyLimits(running: slots, perOrigin: slots, perSession: slots)
        var full = Self.conductor(slots: slots, policy: Policy(limits: limits))
        _ = full.handle(.ticked, at: Self.start)
        _ = full.handle(.lanesLoaded(heads: [Self.head(1)]), at: Self.start)
        let runs = (1...UInt64(slots)).map { Self.run($0) }
        _ = full.handle(.claimed(runs, due: [1: Self.start]), at: Self.start)
        #expect(full.freeSlots == 0)
        var conductor = full
        for end in 1...together {
            let next = conductor.handle(
                .ended(runs[end - 1].id, fence: runs[end - 1].fence), at: Self.start)
            #expect((Self.lanes(next) == [1]) == (end == together), "after \(end) ends")
        }
        guard together > 1 else { return }
        let end = Self.start + Conductor.gathering
        let waiting = full.handle(.ended(runs[0].id, fence: runs[0].fence), at: Self.start)
        #expect(waiting == [.wake(at: end)])
        #expect(Self.lanes(full.handle(.ticked, at: end)) == [1])
    }

    /// A full replica knows a lane that has more; a lane that came meanwhile is read before a slot
    /// is given.
    @Test(arguments: [Duration.zero, .milliseconds(49), .milliseconds(50), .seconds(4)])
    func whatCameIsReadBeforeAKnownLaneGetsASlot(_ later: Duration) {
        var conductor = Self.conductor(slots: 1)
        let backlog = Self.head(1, class: .discretionary)
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: [backlog]), at: Self.start)
        _ = conductor.handle(.claimed([Self.run(1)], due: [1: Self.start]), at: Self.start)
        let now = Self.start + later
        _ = conductor.handle(.hinted, at: now)
        let next = conductor.handle(.ended(Self.id(1), fence: 10), at: now)
        guard later >= Conductor.newsPause else { return #expect(Self.lanes(next) == [1]) }
        #expect(next == [.look(.start)])
        let page = conductor.handle(.lanesLoaded(heads: [backlog, Self.head(2)]), at: now)
        #expect(Self.lanes(page)?.first == 2)
    }

    @Test func shortClaimLooksAgainWhileSlotsAreFree() {
        // Two lanes share four slots; the first gives one of its two, the second may hold more.
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: [Self.head(1), Self.head(2)]), at: Self.start)
        let actions = conductor.handle(
            .claimed([Self.run(1), Self.run(2), Self.run(3)]), at: Self.start)
        #expect(actions.last == .look(.start))
    }

    @Test func emptyClaimFromAFreshDirectoryWaits() {
        var conductor = Self.conductor()
        let soon = Self.start + .milliseconds(300)
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(
            .lanesLoaded(heads: [Self.head(1), Self.head(2, at: soon)]), at: Self.start)
        // A look does not follow at once, as it could repeat for ever, and the other lane keeps its
        // wake.
        let empty = ConductorEvent.claimed([], due: [1: Self.start])
        #expect(conductor.handle(empty, at: Self.start) == [.wake(at: soon)])
        #expect(Self.lanes(conductor.handle(.ticked, at: soon)) == [2])
    }

    /// Without polls that are a second apart, each of these would wait for the next one.
    @Test func looksSoonAgainForWorkThatWasNotGiven() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: [Self.head(1)]), at: Self.start)
        let soon = Self.start + Conductor.rest
        let empty = ConductorEvent.claimed([], due: [1: Self.start])
        #expect(conductor.handle(empty, at: Self.start) == [.wake(at: soon)])
        #expect(conductor.hasRestingLanes)
        #expect(conductor.handle(.ticked, at: soon) == [.look(.start)])
        let later = ConductorAction.wake(at: soon + Self.poll)
        #expect(conductor.handle(.lanesLoaded(heads: []), at: soon) == [later])
        #expect(!conductor.hasRestingLanes, "nothing is due any more")
    }

    @Test func looksAtAnAwaitedInstant() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: []), at: Self.start)
        let instant = Self.start + .milliseconds(700)
        #expect(
            conductor.handle(.awaited(instant), at: Self.start) == [.wake(at: instant)])
        #expect(
            conductor.handle(.awaited(instant + .seconds(60)), at: Self.start)
                == [.wake(at: instant)])
        #expect(conductor.handle(.ticked, at: instant) == [.look(.start)])
    }

    /// Closed lanes on one page must not hide open lanes on the next.
    @Test func aSweepGoesOnWhereItsLastPageEnded() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        let closed = Self.head(1, origin: GateReading(running: 6))
        var cursor = LaneCursor.start
        cursor.app = 7
        let first = LanePage(heads: [closed], next: cursor)
        #expect(conductor.handle(.lanesLoaded(first), at: Self.start) == [.look(cursor)])
        let last = LanePage(heads: [Self.head(2)])
        #expect(Self.lanes(conductor.handle(.lanesLoaded(last), at: Self.start)) == [2])
        // The sweep is over: the next look begins another one.
        let after = conductor.handle(.claimed([Self.run(1)]), at: Self.start)
        #expect(after.last == .look(.start))
    }

    @Test func looksWhenTheNextLaneIsDue() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        let due = Self.start + .milliseconds(1500)
        let page = LanePage(heads: [], nextDue: due)
        #expect(conductor.handle(.lanesLoaded(page), at: Self.start) == [.wake(at: due)])
        #expect(conductor.handle(.ticked, at: due) == [.look(.start)])
    }

    @Test func emptyClaimFromAnOldDirectoryLooksAgain() {
        var conductor = Self.conductor(slots: 1)
        _ = conductor.handle(.ticked, at: Self.start)
        _ = conductor.handle(.lanesLoaded(heads: [Self.head(1)]), at: Self.start)
        _ = conductor.handle(.claimed([Self.run(1)], due: [1: Self.start]), at: Self.start)
        let claim = conductor.handle(.ended(Self.id(1), fence: 10), at: Self.start)
        #expect(Self.lanes(claim) == [1])
        #expect(conductor.handle(.claimed([]), at: Self.start) == [.look(.start)])
    }

    @Test func endOfARunOpensItsOwnGateAtOnce() {
        var conductor = Self.running([1])
        let full = Self.head(1, origin: GateReading(running: 1, limit: 1))
        let other = Self.head(2, origin: GateReading(running: 1, limit: 1))
        let later = Self.start + Self.poll
        _ = conductor.handle(.ticked, at: later)
        _ = conductor.handle(.lanesLoaded(heads: [full, other]), at: later)
        let claim = conductor.handle(.ended(Self.id(1), fence: 10), at: later)
        #expect(Self.lanes(claim) == [1])
    }

    @Test func endOfARunLooksWhereAnotherGateWasFull() {
        var conductor = Self.running([1])
        let full = Self.head(2, origin: GateReading(running: 1, limit: 1))
        let later = Self.start + Self.poll
        _ = conductor.handle(.ticked, at: later)
        _ = conductor.handle(.lanesLoaded(heads: [full]), at: later)
        #expect(
            conductor.handle(.ended(Self.id(1), fence: 10), at: later) == [.look(.start)])
    }

    /// A look that counts a run as ended whose end is told later leads to a claim in vain.
    @Test func anEmptyClaimIsRepeatedAtTheEndOfARunOfItsOrigin() {
        var conductor = Self.running([1, 2])
        let head = Self.head(1, origin: GateReading(running: 1, limit: 2))
        let later = Self.start + Self.poll
        _ = conductor.handle(.ticked, at: later)
        #expect(Self.lanes(conductor.handle(.lanesLoaded(heads: [head]), at: later)) == [1])
        _ = conductor.handle(.claimed([], due: [1: Self.start]), at: later)
        #expect(conductor.handle(.ended(Self.id(1), fence: 10), at: later) == [.look(.start)])
        #expect(Self.lanes(conductor.handle(.lanesLoaded(heads: [head]), at: later)) == [1])
    }

    @Test func endOfAnotherFenceFreesNothing() {
        var conductor = Self.running([1])
        _ = conductor.handle(.ended(Self.id(1), fence: 9), at: Self.start)
        #expect(conductor.runningCount == 1)
        _ = conductor.handle(.ended(Self.id(1), fence: 10), at: Self.start)
        #expect(conductor.runningCount == 0)
    }

    @Test func wakesForTheNextHeadOrigin() {
        var conductor = Self.conductor()
        _ = conductor.handle(.ticked, at: Self.start)
        let begin = Self.start + .seconds(2)
        let cool = Self.start + .seconds(1)
        let heads = [
            Self.head(1, at: begin), Self.head(2, origin: GateReading(notBefore: cool)),
            Self.head(3, at: Self.start + .seconds(60)),
        ]
        #expect(conductor.handle(.lanesLoaded(heads: heads), at: Self.start) == [.wake(at: cool)])
        #expect(Self.lanes(conductor.handle(.ticked, at: cool)) == [2])
    }
}
