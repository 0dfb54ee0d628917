// Budgets: periods of the clock, paces, the bytes that a download reserves, and the time until
// which it waits.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct BudgetTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
        "America/Havana", "Pacific/Apia",
    ]

    private static func budget(_ members: String = "") throws -> (Policy, Budget) {
        let policy = try Policies.read(
            """
            {"time_zone": "Europe/Berlin", "windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "nights", "match": {"class": "discretionary"},
                        "require": ["window night"]}],
             "budgets": [{"name": "b", "bytes": "100GB", "per": "day", "scope": "app"\(members)}]}
            """)
        return (policy, try #require(policy.budgets.first))
    }

    /// A single download of an app that expects this many bytes.
    private static func candidate(
        _ bytes: Int64, at now: Timestamp, _ change: (inout AdmissionCandidate) -> Void = { _ in }
    ) -> AdmissionCandidate {
        Policies.candidate(at: now) {
            $0.isDiscretionary = false
            $0.app = "media"
            $0.priority = 0.5
            $0.need = bytes
            change(&$0)
        }
    }

    private static func reading(
        _ key: BudgetKey, _ period: Range<Timestamp>, spent: Int64, reserved: Int64 = 0
    ) -> (key: BudgetKey, reading: BudgetReading) {
        (key, BudgetReading(period: period, spent: spent, reserved: reserved))
    }

    /// Every instant lies in one period, and the next begins where it ends.
    @Test(arguments: zones, Budget.Period.allCases)
    func periodsFollowEachOtherWithoutAGap(_ name: String, _ period: Budget.Period) throws {
        let zone = try CoreTests.zone(name)
        var budget = try Self.budget().1
        budget.period = period
        var random = SeededRandom(seed: UInt64(name.utf8.count))
        let hours: [Budget.Period: Int64] = [.hour: 3, .day: 26, .week: 170, .month: 745]
        for _ in 0..<60 {
            let instant = Timestamp(
                seconds: 1_750_000_000 + Int64.random(in: 0..<70_000_000, using: &random))
            let span = budget.span(at: instant, in: zone)
            #expect(span.contains(instant))
            #expect(span.upperBound - span.lowerBound <= .seconds(3600 * (hours[period] ?? 0)))
            #expect(budget.span(at: span.lowerBound, in: zone) == span)
            #expect(budget.span(at: span.upperBound - .microseconds(1), in: zone) == span)
            let next = budget.span(at: span.upperBound, in: zone)
            #expect(next.lowerBound == span.upperBound)
        }
    }

    @Test(arguments: [
        (Budget.Period.hour, "2026-11-22T12:00:00Z", "2026-11-22T13:00:00Z"),
        (.day, "2026-11-21T23:00:00Z", "2026-11-22T23:00:00Z"),
        (.week, "2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z"),
        (.month, "2026-10-31T23:00:00Z", "2026-11-30T23:00:00Z"),
    ])
    func periodsBeginByTheClockOfTheZone(
        _ period: Budget.Period, _ from: String, _ end: String
    ) throws {
        var budget = try Self.budget().1
        budget.period = period
        let span = budget.span(
            at: Policies.instant("2026-11-22T12:34:56Z"), in: try CoreTests.zone("Europe/Berlin"))
        #expect(span == Policies.instant(from)..<Policies.instant(end))
    }

    /// The reservation of a download at a budget, by the budget's way to count, with the
    /// neighbouring cases.
    @Test(
        arguments: [
            ("", 5_000, 300, 5_300), ("", 0, 0, 64 << 20),
            (#","counts":"received""#, 5_000, 300, 5_000),
            (#","counts":"sent""#, 5_000, 300, 300), (#","counts":"sent""#, 5_000, 0, 0),
            ("", 200_000_000_000, 0, 100_000_000_000),
            (#","pace":"even""#, 200_000_000_000, 0, 50_000_000_000),
        ] as [(String, Int64, Int64, Int64)])
    func aDownloadReservesWhatItExpects(
        _ members: String, _ receives: Int64, _ sends: Int64, _ needs: Int64
    ) throws {
        let (policy, _) = try Self.budget(members)
        let now = Policies.instant("2026-11-22T12:00:00Z")
        let situation = Situation(now: now, policy: policy, zone: .utc)
        let candidate = Self.candidate(receives, at: now) { $0.sends = sends }
        #expect(Admission.budgetDemands(candidate, in: situation).map(\.needs) == [needs])
        // The bytes of a lane are not known: it is asked while the budget has anything left.
        var lane = candidate
        lane.priority = nil
        #expect(Admission.budgetDemands(lane, in: situation).map(\.needs) == [1])
    }

    @Test func theBlockerNamesTheBudgetWhatIsLeftAndUntilWhen() throws {
        let (policy, budget) = try Self.budget()
        let zone = try CoreTests.zone("Europe/Berlin")
        let now = Policies.instant("2026-11-22T12:00:00Z")
        var book = BudgetBook()
        let key = BudgetKey(budget: "b", value: "media")
        let period = budget.span(at: now, in: zone)
        book.take([Self.reading(key, period, spent: 60_000_000_000, reserved: 39_600_000_000)])
        let situation = Situation(now: now, policy: policy, zone: zone, budgets: book)
        let held = Admission.blockers(Self.candidate(2_000_000_000, at: now), in: situation)
        let blocker = try #require(held.first)
        #expect(held.count == 1 && blocker.code == .budget && blocker.rule == "b")
        #expect(blocker.until == period.upperBound && blocker.since <= now)
        #expect(
            blocker.detail
                == "the budget \"b\" of 100GB a day has 400MB left, and this download reserves "
                + "2GB; the next day begins at \(period.upperBound.rfc3339)")
        #expect(
            Explanation(Self.candidate(2_000_000_000, at: now), in: situation).until
                == period.upperBound)
        // A download that fits begins, and so does every download of another app and in the next
        // period.
        #expect(
            Admission.policyBlockers(Self.candidate(400_000_000, at: now), in: situation).isEmpty)
        let other = Self.candidate(2_000_000_000, at: now) { $0.app = "other" }
        #expect(Admission.policyBlockers(other, in: situation).isEmpty)
        let later = Situation(
            now: period.upperBound, policy: policy, zone: zone, budgets: book)
        #expect(Admission.policyBlockers(Self.candidate(2_000_000_000, at: now), in: later).isEmpty)
    }

    /// Random budgets, uses and sizes: `until` is the first instant at which a budget allows, a
    /// blocker holds up to it, and a pace only rises.
    @Test(arguments: 0..<150)
    func untilIsTheFirstInstantThatAllows(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let isPaced = random.isOne(in: 2)
        let periods = Budget.Period.allCases
        let period = periods[Int.random(in: 0..<4, using: &random)]
        let match = random.isOne(in: 2) ? #","match":{"class":"discretionary"}"# : ""
        var (policy, budget) = try Self.budget((isPaced ? #","pace":"even""# : "") + match)
        budget.period = period
        policy.budgets = [budget]
        let zone = try CoreTests.zone("Europe/Berlin")
        let now = Timestamp(
            seconds: 1_790_000_000 + Int64.random(in: 0..<5_000_000, using: &random))
        let span = budget.span(at: now, in: zone)
        var book = BudgetBook()
        let key = BudgetKey(budget: "b", value: "media")
        let used = Int64.random(in: 0...100_000_000_000, using: &random)
        book.take([Self.reading(key, span, spent: used / 2, reserved: used - used / 2)])
        if random.isOne(in: 2) { book.prepare(policy, zone: zone, at: now) }
        let candidate = Self.candidate(
            Int64.random(in: 1...100_000_000_000, using: &random), at: now
        ) { $0.isDiscretionary = !match.isEmpty }
        func blockers(_ instant: Timestamp) -> [Blocker] {
            let situation = Situation(now: instant, policy: policy, zone: zone, budgets: book)
            return Admission.policyBlockers(candidate, in: situation).filter { $0.code == .budget }
        }
        var allowances: [Int64] = []
        for step in 0..<20 {
            let instant = span.lowerBound + (span.upperBound - span.lowerBound) / 20 * step
            let situation = Situation(now: instant, policy: policy, zone: zone, budgets: book)
            allowances += Admission.budgetDemands(candidate, in: situation).map(\.allowance)
        }
        #expect(allowances == allowances.sorted() && allowances.allSatisfy { $0 <= budget.bytes })
        guard let blocker = blockers(now).first else { return }
        let until = try #require(blocker.until)
        #expect(until > now)
        #expect(blockers(until).isEmpty, "seed \(seed)")
        for part in 1..<8 {
            let before = now + (until - now) / 8 * part
            guard before < until - .milliseconds(1) else { continue }
            #expect(blockers(before).first?.until == until, "seed \(seed)")
        }
    }

    /// A paced budget is released while its rules' windows are open: nothing by day.
    @Test func thePaceFollowsTheHoursInWhichItsDownloadsMayRun() throws {
        let (policy, _) = try Self.budget(
            #","pace":"even","match":{"class":"discretionary"}"#)
        let zone = try CoreTests.zone("Europe/Berlin")
        func allowance(_ time: String) throws -> Int64 {
            let now = Policies.instant("2026-11-22T\(time):00Z")
            let candidate = Self.candidate(1, at: now) { $0.isDiscretionary = true }
            let situation = Situation(now: now, policy: policy, zone: zone)
            return try #require(Admission.budgetDemands(candidate, in: situation).first).allowance
        }
        // The calendar day has two parts of the night: 00:00 to 06:00 and 22:00 to 24:00 of Berlin.
        #expect(try allowance("02:00") == 43_750_000_000)
        #expect(try allowance("05:00") == 77_500_000_000)
        #expect(try allowance("20:59") == 77_500_000_000)
        #expect(try allowance("22:00") == 88_750_000_000)
    }

    /// A download whose deadline is near passes the pace, and no download passes the budget.
    @Test func aGuardedDownloadPassesThePace() throws {
        let (policy, budget) = try Self.budget(#","pace":"even""#)
        let now = Policies.instant("2026-11-22T00:00:00Z")
        func isOpen(used: Int64, deadline: Duration?) -> Bool {
            var book = BudgetBook()
            book.take([
                Self.reading(
                    BudgetKey(budget: "b", value: "media"), budget.span(at: now, in: .utc),
                    spent: used)
            ])
            let candidate = Self.candidate(20_000_000_000, at: now) {
                $0.deadline.begin = deadline.map { now + $0 }
            }
            let situation = Situation(now: now, policy: policy, zone: .utc, budgets: book)
            return Admission.policyBlockers(candidate, in: situation).isEmpty
        }
        #expect(!isOpen(used: 0, deadline: nil) && !isOpen(used: 0, deadline: .seconds(90_000)))
        #expect(isOpen(used: 0, deadline: .seconds(60)))
        #expect(!isOpen(used: 80_000_000_001, deadline: .seconds(60)))
    }

    @Test func readingsAreBoundedAndTheNewestPeriodCounts() throws {
        let (policy, budget) = try Self.budget()
        let now = Policies.instant("2026-11-22T12:00:00Z")
        let today = budget.span(at: now, in: .utc)
        let yesterday = budget.span(at: today.lowerBound - .seconds(1), in: .utc)
        var book = BudgetBook()
        let key = BudgetKey(budget: "b", value: "media")
        book.take([Self.reading(key, today, spent: 90_000_000_000)])
        book.take([Self.reading(key, yesterday, spent: 1)])
        #expect(book.left(under: policy, zone: .utc, at: now).map(\.bytes) == [10_000_000_000])
        book.take(
            (0..<10_000).map {
                Self.reading(BudgetKey(budget: "b", value: "\($0)"), today, spent: 1)
            })
        #expect(book.all.count <= BudgetBook.readingsAtMost)
        #expect(
            book.left(under: policy, zone: .utc, at: now).count == BudgetBook.shownAtMost)
        #expect(book.left(under: policy, zone: .utc, at: today.upperBound).isEmpty)
    }
}
