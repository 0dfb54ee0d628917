// The instants of a source: which get a look, and which are passed over for which reason.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct SourceTimetableTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let download = Identifier(high: 1, low: 2)

    /// An instant, in minutes from the start.
    private static func at(_ minutes: Int64) -> Timestamp { start + .seconds(minutes * 60) }

    /// A schedule of every ten minutes.
    private static func ten(_ after: Timestamp) -> Timestamp? {
        let passed = (after - start).components.seconds
        return start + .seconds((passed / 600 + 1) * 600)
    }

    private static func planned() -> SourceTimetable {
        var timetable = SourceTimetable()
        timetable.plan(ten, looksAtOnce: true, at: start)
        return timetable
    }

    private static func running(
        begun: Bool = true, failed: Bool = false
    ) -> SourceTimetable {
        var timetable = planned()
        let turn = timetable.turn(at: at(0), SourceTimetable.Rules(), ten)
        guard let begin = turn.start else { preconditionFailure("a planned source looks at once") }
        timetable.begin(begin, as: download, at: at(0))
        timetable.running?.hasBegun = begun
        timetable.running?.hasFailed = failed
        return timetable
    }

    private static func rules(
        _ overlap: OverlapRule = .skip, _ catchUp: CatchUpRule = .latest
    ) -> SourceTimetable.Rules {
        var rules = SourceTimetable.Rules()
        (rules.overlap, rules.catchUp) = (overlap, catchUp)
        rules.catchUpWindow = .seconds(3600)
        return rules
    }

    @Test func aLookBeginsAtItsInstantAndNotBefore() {
        var timetable = SourceTimetable()
        timetable.plan(Self.ten, looksAtOnce: false, at: Self.start)
        let early = timetable.turn(at: Self.at(9), Self.rules(), Self.ten)
        #expect(early.start == nil && early.nextTurn == Self.at(10))
        let due = timetable.turn(at: Self.at(10), Self.rules(), Self.ten)
        #expect(due.start?.dueAt == Self.at(10) && due.start?.isFull == true)
        #expect(timetable.nextAt == Self.at(20) && due.skips.isEmpty)
    }

    @Test(
        arguments: [
            (OverlapRule.skip, true, false, SkipReason.overlap, nil, nil),
            (.skip, false, false, .policy, nil, nil),
            (.queueOne, true, false, nil, 10, nil),
            (.cancelOther, true, false, nil, 10, .cancel),
            (.skip, true, true, nil, 10, .giveUp),
            (.queueOne, true, true, nil, 10, .giveUp),
            (.cancelOther, true, true, nil, 10, .giveUp),
        ] as [(OverlapRule, Bool, Bool, SkipReason?, Int64?, SourceTurn.Stop?)])
    func anInstantDuringALookFollowsTheRule(
        _ rule: OverlapRule, _ begun: Bool, _ failed: Bool, _ reason: SkipReason?,
        _ queued: Int64?, _ stop: SourceTurn.Stop?
    ) {
        var timetable = Self.running(begun: begun, failed: failed)
        let turn = timetable.turn(at: Self.at(10), Self.rules(rule), Self.ten)
        #expect(turn.start == nil && turn.stop == stop)
        #expect(turn.skips == (reason.map { [SkippedInstants($0, Self.at(10))] } ?? []))
        #expect(timetable.queuedAt == queued.map { Self.at($0) })
        guard let queued else { return }
        // At the end of the running look, the instant has its look.
        _ = timetable.end(stop == .giveUp ? .failed : .canceled, at: Self.at(12), Self.ten)
        let next = timetable.turn(at: Self.at(12), Self.rules(rule), Self.ten)
        #expect(next.start?.dueAt == Self.at(queued) && timetable.queuedAt == nil)
    }

    @Test func onlyOneInstantIsQueued() {
        var timetable = Self.running()
        _ = timetable.turn(at: Self.at(10), Self.rules(.queueOne), Self.ten)
        let second = timetable.turn(at: Self.at(20), Self.rules(.queueOne), Self.ten)
        #expect(second.skips == [SkippedInstants(.overlap, Self.at(20))])
        #expect(timetable.queuedAt == Self.at(10))
    }

    @Test func anInstantThatCancelsTakesThePlaceOfTheOneThatWaited() {
        var timetable = Self.running()
        _ = timetable.turn(at: Self.at(10), Self.rules(.cancelOther), Self.ten)
        let second = timetable.turn(at: Self.at(20), Self.rules(.cancelOther), Self.ten)
        // The order is repeated, because it may have been lost.
        #expect(second.stop == .cancel && timetable.queuedAt == Self.at(20))
        #expect(second.skips == [SkippedInstants(.overlap, Self.at(10))])
    }

    @Test(
        arguments: [
            // The instants 0, 10, 20, 30, 40 have passed at 45.
            (CatchUpRule.latest, 45, 4, 40), (.none, 45, 5, nil), (.all, 45, 0, 0),
            // From 60 minutes on an instant is too old for `all`.
            (.all, 85, 3, 30), (.latest, 85, 8, 80), (.none, 80, 8, 80),
        ] as [(CatchUpRule, Int64, Int64, Int64?)])
    func instantsThatPassedAreCaughtUpByTheRule(
        _ rule: CatchUpRule, _ now: Int64, _ missed: Int64, _ first: Int64?
    ) {
        var timetable = Self.planned()
        let turn = timetable.turn(at: Self.at(now), Self.rules(.skip, rule), Self.ten)
        #expect(turn.start?.dueAt == first.map { Self.at($0) })
        #expect(turn.skips.reduce(0) { $0 + $1.count } == missed)
        #expect(turn.skips.allSatisfy { $0.reason == .missed } && turn.skips.count <= 1)
    }

    @Test func allThatPassedAreCaughtUpOneAfterAnother() {
        var timetable = Self.planned()
        var begun: [Timestamp] = []
        var now = Self.at(35)
        for _ in 0..<6 {
            let turn = timetable.turn(at: now, Self.rules(.skip, .all), Self.ten)
            #expect(turn.skips.isEmpty)
            if let start = turn.start {
                begun.append(start.dueAt)
                timetable.begin(start, as: Self.download, at: now)
                timetable.running?.hasBegun = true
            }
            now += .seconds(20)
            // The next instant waits for the running look.
            let during = timetable.turn(at: now, Self.rules(.skip, .all), Self.ten)
            #expect(during.start == nil && during.skips.isEmpty && during.stop == nil)
            if timetable.running != nil { _ = timetable.end(.changed, at: now, Self.ten) }
        }
        #expect(begun == [Self.at(0), Self.at(10), Self.at(20), Self.at(30)])
    }

    @Test func whatASuspensionPassedOverIsNeverCaughtUp() {
        for rule in CatchUpRule.allCases {
            var timetable = Self.planned()
            timetable.suspend()
            let idle = timetable.turn(at: Self.at(25), Self.rules(.skip, rule), Self.ten)
            #expect(idle.start == nil && idle.nextTurn == nil && timetable.nextLookAt == nil)
            timetable.resume(at: Self.at(45))
            let turn = timetable.turn(at: Self.at(45), Self.rules(.skip, rule), Self.ten)
            #expect(turn.start == nil && turn.skips.map(\.count) == [5])
            #expect(turn.skips.first?.reason == .suspended && turn.nextTurn == Self.at(50))
        }
    }

    @Test func anInstantThatWaitedIsPassedOverByASuspension() {
        var timetable = Self.running()
        _ = timetable.turn(at: Self.at(10), Self.rules(.queueOne), Self.ten)
        timetable.suspend()
        timetable.resume(at: Self.at(15))
        let turn = timetable.turn(at: Self.at(15), Self.rules(.queueOne), Self.ten)
        #expect(turn.skips == [SkippedInstants(.suspended, Self.at(10))])
        #expect(timetable.queuedAt == nil)
    }

    @Test func askedLooksKeepThePauseAndWaitForTheRunningOne() {
        var timetable = Self.running()
        let isWaiting = timetable.ask(at: Self.at(1))
        #expect(isWaiting)
        let during = timetable.turn(at: Self.at(1), Self.rules(), Self.ten)
        #expect(during.start == nil)
        _ = timetable.end(.changed, at: Self.at(2), Self.ten)
        let turn = timetable.turn(at: Self.at(2), Self.rules(), Self.ten)
        #expect(turn.start?.isAsked == true && timetable.askedAt == nil)
        guard let start = turn.start else { return }
        timetable.begin(start, as: Self.download, at: Self.at(2))
        _ = timetable.end(.changed, at: Self.at(2), Self.ten)
        let isCoalesced = timetable.ask(at: Self.at(3), pause: .seconds(120))
        #expect(isCoalesced)
        #expect(timetable.askedAt == Self.at(4) && timetable.nextLookAt == Self.at(4))
        let isLate = timetable.ask(at: Self.at(5))
        #expect(!isLate)
    }

    @Test func aLookThatTheScheduleBeginsIsTheAskedOne() {
        var timetable = Self.planned()
        _ = timetable.ask(at: Self.at(0))
        let turn = timetable.turn(at: Self.at(0), Self.rules(), Self.ten)
        #expect(turn.start?.isAsked == false && timetable.askedAt == nil)
    }

    @Test(arguments: [(10, false), (1, true)])
    func tenFailuresOrOneAnswer410AskForAttentionOnce(_ needed: Int, _ isGone: Bool) {
        var timetable = Self.running()
        var told = 0
        for place in 1...(needed + 2) {
            if timetable.running == nil {
                timetable.running = RunningLook(dueAt: Self.at(0), download: Self.download)
            }
            if timetable.end(.failed, isGone: isGone, at: Self.at(1), Self.ten) { told += 1 }
            #expect(timetable.needsAttention == (place >= needed))
        }
        #expect(told == 1)
        // A look a day: the first instant at least a day behind the last look.
        #expect(timetable.nextAt == Self.at(1440))
        var slow = timetable.turn(at: Self.at(1440), Self.rules(), Self.ten)
        guard let start = slow.start else {
            Issue.record("it still looks once a day")
            return
        }
        #expect(timetable.nextAt == Self.at(2880))
        timetable.begin(start, as: Self.download, at: Self.at(1440))
        let isTold = timetable.end(.unchanged304, at: Self.at(1441), Self.ten)
        #expect(!isTold)
        #expect(!timetable.needsAttention && timetable.failures == 0)
        slow = timetable.turn(at: Self.at(1450), Self.rules(), Self.ten)
        #expect(slow.start?.dueAt == Self.at(1450))
    }

    @Test func aCanceledLookIsNoFailure() {
        var timetable = Self.running()
        _ = timetable.end(.canceled, at: Self.at(1), Self.ten)
        #expect(timetable.failures == 0 && timetable.running == nil)
    }

    @Test func oneLookAWeekGoesWithoutValidators() {
        var timetable = Self.running()
        for minutes in [10, 7 * 1440, 7 * 1440 + 10] as [Int64] {
            _ = timetable.end(.unchanged304, at: Self.at(minutes), Self.ten)
            let turn = timetable.turn(at: Self.at(minutes), Self.rules(), Self.ten)
            #expect(turn.start?.isFull == (minutes == 7 * 1440))
            guard let start = turn.start else { return }
            timetable.begin(start, as: Self.download, at: Self.at(minutes))
        }
    }

    @Test func aRefusedLookIsSkippedBecauseOfTheQuota() {
        var timetable = Self.planned()
        let turn = timetable.turn(at: Self.at(0), Self.rules(), Self.ten)
        let refused = timetable.refused(turn)
        #expect(refused.start == nil && refused.nextTurn == Self.at(10))
        #expect(refused.skips == [SkippedInstants(.quota, Self.at(0))])
    }

    @Test func theStoredFormKeepsTheState() {
        var timetable = Self.running()
        _ = timetable.turn(at: Self.at(10), Self.rules(.cancelOther), Self.ten)
        (timetable.failures, timetable.learned, timetable.passedUntil) = (3, 900, Self.at(5))
        timetable.askedAt = Self.at(11)
        timetable.running?.hasBegun = false
        #expect(SourceTimetable(stored: timetable.tree) == timetable)
    }

    @Test(
        arguments: [
            ([], 0, nil, 900), ([0], 4000, nil, 60_000), ([0], 10, nil, 900),
            ([0, 60, 120, 180], 185, nil, 900), ([0, 400, 800, 1200], 1210, nil, 6000),
            // The last change is long ago, which counts as a change.
            ([0, 400, 800], 8000, nil, 6000), ([0, 400], 8000, nil, 60_000),
            ([0], 1_000_000, nil, 86_400), ([0], 10, 5000, 5000), ([0], 10, 1_000_000, 86_400),
        ] as [([Int64], Int64, Int64?, Int64)])
    func theIntervalIsAQuarterOfTheMedianGap(
        _ changes: [Int64], _ now: Int64, _ told: Int64?, _ seconds: Int64
    ) {
        let learned = LearnedInterval.seconds(
            changes: changes.map { Self.at($0) }, at: Self.at(now), told: told)
        #expect(learned == seconds)
    }
}
