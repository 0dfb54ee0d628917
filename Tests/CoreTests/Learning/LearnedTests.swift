// Learned values of origins and sessions, and how they are forgotten.
import Base
import Scheduling
import Testing

@Suite struct LearnedTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private static func filled(_ rate: Double, count: Int, origin: Int64 = 1) -> Learned {
        var learned = Learned(.rate)
        for _ in 0..<count {
            learned.add(rate, to: LearnedKey.rates(origin: origin, quarter: 2), at: start)
        }
        return learned
    }

    @Test(arguments: 0...6)
    func aKeySpeaksFromFiveValuesOn(_ count: Int) {
        let learned = Self.filled(1e6, count: count)
        for chain in [
            LearnedKey.rates(origin: 1, quarter: 2), LearnedKey.rates(origin: 1, quarter: 0),
            LearnedKey.rates(origin: 9, quarter: 2),
        ] {
            #expect((learned.quantile(0.2, of: chain, at: Self.start) != nil) == (count >= 5))
        }
    }

    @Test func theMostExactKeySpeaks() throws {
        var learned = Self.filled(1e6, count: 5)
        for _ in 0..<5 {
            learned.add(1e8, to: LearnedKey.rates(origin: 2, quarter: 1), at: Self.start)
        }
        func median(_ origin: Int64, _ quarter: Int) throws -> Double {
            let chain = LearnedKey.rates(origin: origin, quarter: quarter)
            return try #require(learned.quantile(0.5, of: chain, at: Self.start))
        }
        #expect(try median(1, 2) < 2e6)
        #expect(try median(2, 1) > 9e7)
        // Another quarter of the day at this origin, then another origin.
        #expect(try median(2, 3) > 9e7)
        let all = try #require(
            learned.quantile(0.9, of: LearnedKey.rates(origin: 3, quarter: 0), at: Self.start))
        #expect(all > 9e7)
    }

    @Test(arguments: [(0, true), (6, true), (7, false), (29, false)])
    func valuesFadeByHalfEachWeek(_ days: Int, _ isKnown: Bool) {
        let learned = Self.filled(1e6, count: 9)
        let now = Self.start + .seconds(86_400 * days)
        let chain = LearnedKey.rates(origin: 1, quarter: 2)
        #expect((learned.quantile(0.5, of: chain, at: now) != nil) == isKnown)
    }

    @Test func aChangedRateIsLearnedWithinTwoWeeks() throws {
        var learned = Self.filled(1e8, count: 100)
        let now = Self.start + .seconds(86_400 * 14)
        let chain = LearnedKey.rates(origin: 1, quarter: 2)
        for _ in 0..<30 { learned.add(1e6, to: chain, at: now) }
        #expect(try #require(learned.quantile(0.5, of: chain, at: now)) < 2e6)
        // The old samples count a quarter: 25 beside 30.
        #expect(try #require(learned.quantile(0.6, of: chain, at: now)) > 9e7)
    }

    @Test(arguments: [(29, 3), (30, 0), (400, 0)])
    func keysWithoutValuesForThirtyDaysAreForgotten(_ days: Int, _ count: Int) {
        var learned = Self.filled(1e6, count: 1000)
        let now = Self.start + .seconds(86_400 * days)
        learned.forget(at: now)
        #expect(learned.count == count)
    }

    @Test func keysAreBounded() {
        var learned = Learned(.rate)
        for origin in 0..<Int64(Learned.keysAtMost) + 10 {
            learned.add(1e6, to: [.origin(origin)], at: Self.start)
        }
        #expect(learned.count == Learned.keysAtMost)
        // Known keys continue to learn; new keys are taken when old ones are forgotten.
        for _ in 0..<5 { learned.add(1e6, to: [.origin(3)], at: Self.start) }
        #expect(learned.quantile(0.5, of: [.origin(3)], at: Self.start) != nil)
        let later = Self.start + Learned.memory
        learned.add(1e6, to: [.origin(-1)], at: later)
        #expect(learned.count == 1)
    }

    @Test func aClockThatIsSetBackChangesNothing() {
        var learned = Self.filled(1e6, count: 9)
        let before = Self.start - .seconds(86_400 * 90)
        let chain = LearnedKey.rates(origin: 1, quarter: 2)
        learned.add(1e6, to: chain, at: before)
        #expect(learned.quantile(0.5, of: chain, at: Self.start) != nil)
    }
}
