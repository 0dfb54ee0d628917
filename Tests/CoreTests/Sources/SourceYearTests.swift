// A simulated year of sources, with outages, replicas that die, suspensions and slow looks.
import Base
import Downloads
import Foundation
import Scheduling
import Testing

@Suite struct SourceYearTests {
    /// The number of sources: 20 for a month each, or `LULL_SOURCES` for a year each.
    private static let asked =
        ProcessInfo.processInfo.environment["LULL_SOURCES"].flatMap { Int($0) }

    @Test func noInstantIsLostAndNoneComesTwiceAndEachSkipHasAReason() {
        let (count, days) = Self.asked.map { ($0, 365 as Int64) } ?? (20, 30)
        for seed in 0..<UInt64(count) {
            var world = SourceWorld(seed: seed, days: days)
            world.run()
            #expect(world.faults.isEmpty, "seed \(seed): \(world.faults.prefix(3))")
        }
    }

    @Test func aFaultOfTheStoreIsNoticed() {
        // A replica that begins a look but loses the record of the instant.
        var faults = 0
        for seed in 0..<20 as Range<UInt64> {
            var world = SourceWorld(seed: seed, days: 10)
            world.losesInstants = true
            world.run()
            if !world.faults.isEmpty { faults += 1 }
        }
        #expect(faults == 20)
    }
}

/// One source over a time, as a store without a database.
private struct SourceWorld {
    private static let start = Timestamp(seconds: 1_800_000_000)

    var faults: [String] = []
    var losesInstants = false
    private var random: SeededRandom
    private let end: Timestamp
    private let interval: Int64
    private let rules: SourceTimetable.Rules
    private var timetable = SourceTimetable()
    private var now = SourceWorld.start
    /// The time at which the running look ends, and how.
    private var lookEnd: (at: Timestamp, outcome: LookOutcome)?
    private var turnAt: Timestamp? = SourceWorld.start
    /// The end of the current outage.
    private var backAt = SourceWorld.start
    private var resumeAt: Timestamp?
    private var failuresInARow = 0
    /// Each instant that had a look or was skipped, in the order in which that was stored.
    private var handled: [Timestamp] = []

    init(seed: UInt64, days: Int64) {
        random = SeededRandom(seed: seed)
        end = Self.start + .seconds(days * 86_400)
        interval = [300, 900, 3600, 3 * 3600, 86_400].randomElement(using: &random) ?? 3600
        var rules = SourceTimetable.Rules()
        rules.overlap = OverlapRule.allCases.randomElement(using: &random) ?? .skip
        rules.catchUp = CatchUpRule.allCases.randomElement(using: &random) ?? .latest
        rules.catchUpWindow = .seconds(Int64.random(in: 1...200_000, using: &random))
        self.rules = rules
    }

    private func schedule(_ after: Timestamp) -> Timestamp? {
        let passed = (after - Self.start).components.seconds
        return Self.start + .seconds((passed / interval + 1) * interval)
    }

    mutating func run() {
        timetable.plan(schedule, looksAtOnce: true, at: now)
        while now < end {
            if chance(0.002) {
                backAt = now + .seconds(Int64.random(in: 60...300_000, using: &random))
            }
            if resumeAt == nil, chance(0.002) {
                timetable.suspend()
                resumeAt = now + .seconds(Int64.random(in: 1...200_000, using: &random))
            }
            if !timetable.isSuspended, chance(0.01) {
                _ = timetable.ask(at: now)
                turnAt = now
            }
            let next = [turnAt, lookEnd?.at, resumeAt].compactMap(\.self).min() ?? end
            // While no replica works, nothing happens until one is back.
            now = max(now, max(next, backAt))
            step()
        }
        check()
    }

    private mutating func step() {
        if let resume = resumeAt, resume <= now {
            timetable.resume(at: now)
            (resumeAt, turnAt) = (nil, now)
        }
        if let look = lookEnd, look.at <= now { close(look.outcome) }
        guard let turn = turnAt, turn <= now else { return }
        // The facts of the queue are read with the row.
        timetable.running?.hasBegun = true
        timetable.running?.hasFailed = lookEnd?.outcome == .failed
        var moved = timetable
        let decided = moved.turn(at: now, rules, schedule)
        if chance(0.02) {
            // The replica dies before it stores anything: another one takes the row later.
            turnAt = now + .seconds(30)
            return
        }
        timetable = moved
        for skip in decided.skips { note(skip) }
        if decided.stop != nil {
            lookEnd?.at = now + .seconds(Int64.random(in: 0...100, using: &random))
        }
        if decided.stop == .cancel { lookEnd?.outcome = .canceled }
        turnAt = decided.nextTurn
        guard let start = decided.start else { return }
        timetable.begin(start, as: Identifier(high: 1, low: 1), at: now)
        if !start.isAsked, !losesInstants { handled.append(start.dueAt) }
        let isLong = chance(0.1)
        let fails = failuresInARow < 5 && chance(0.2)
        let seconds = Int64.random(in: 1...(isLong ? interval * 3 : 60), using: &random)
        lookEnd = (now + .seconds(seconds), fails ? .failed : .unchanged304)
    }

    private mutating func close(_ outcome: LookOutcome) {
        _ = timetable.end(outcome, at: now, schedule)
        failuresInARow = outcome == .failed ? failuresInARow + 1 : 0
        (lookEnd, turnAt) = (nil, now)
    }

    private mutating func note(_ skip: SkippedInstants) {
        var instant: Timestamp? = skip.first
        for _ in 0..<skip.count {
            guard let one = instant else { break }
            handled.append(one)
            instant = schedule(one)
        }
        if handled.last != skip.last { faults.append("skips are not adjacent: \(skip)") }
        if skip.reason == .missed, rules.catchUp == .all,
            now - skip.last <= rules.catchUpWindow
        {
            faults.append("an instant within the window was missed: \(skip)")
        }
    }

    private mutating func check() {
        var expected: [Timestamp] = []
        var instant: Timestamp? = Self.start
        while let one = instant, one < timetable.nextAt ?? end {
            if one != timetable.queuedAt { expected.append(one) }
            instant = schedule(one)
        }
        let sorted = handled.sorted()
        for (first, second) in zip(sorted, sorted.dropFirst()) where first == second {
            faults.append("an instant came twice: \(first)")
        }
        if sorted != expected {
            let lost = Set(expected.map(\.microseconds)).subtracting(sorted.map(\.microseconds))
            faults.append("lost: \(lost.count) of \(expected.count)")
        }
        if expected.count < 20 { faults.append("the world had no instants") }
    }

    private mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }
}
