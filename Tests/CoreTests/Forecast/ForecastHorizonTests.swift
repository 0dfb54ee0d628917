// What lies ahead beside downloads: openings of windows, changes of the rate, periods of budgets.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct ForecastHorizonTests {
    private static let start = Timestamp(seconds: 1_767_225_600)  // a midnight in UTC

    private static func policy(_ windows: String = #"{"night": ["22:00-06:00"]}"#) throws -> Policy
    {
        try Policies.read(
            """
            {"time_zone": "UTC", "windows": \(windows), "bandwidth": "00:00,off 08:00,1000000",
             "budgets": [{"name": "day", "bytes": "1GB", "per": "day", "scope": "deployment"},
                         {"name": "each", "bytes": "1GB", "per": "day", "scope": "origin"}]}
            """)
    }

    /// Minute by minute, a window is open exactly if an opening has the minute.
    @Test(arguments: [0, 1, 359, 360, 361, 719, 1319, 1320, 1439])
    func eachMinuteIsInAnOpeningIfItsWindowIsOpen(_ minute: Int) throws {
        let now = Self.start + .seconds(60 * minute)
        let horizon = ForecastHorizon(
            Situation(now: now, policy: try Self.policy(), zone: .utc),
            until: now + .seconds(72 * 3600), app: "a")
        for step in 0..<(72 * 60) {
            let instant = now + .seconds(60 * step)
            let hour = (minute + step) / 60 % 24
            let isOpen = horizon.windows.contains { opening in
                opening.from <= instant && instant < opening.until ?? instant + .seconds(1)
            }
            #expect(isOpen == (hour >= 22 || hour < 6), "\(instant)")
        }
        #expect(horizon.windows.allSatisfy { $0.name == "night" && $0.from >= now })
    }

    /// The rate is that of the last step; each step differs from the one before.
    @Test(arguments: [0, 479, 480, 481, 1439])
    func theRateIsThatOfTheLastStep(_ minute: Int) throws {
        let now = Self.start + .seconds(60 * minute)
        let horizon = ForecastHorizon(
            Situation(now: now, policy: try Self.policy(), zone: .utc),
            until: now + .seconds(72 * 3600), app: "a")
        for step in 0..<(72 * 60) {
            let instant = now + .seconds(60 * step)
            let rate = try #require(horizon.bandwidth.last { $0.from <= instant }).rate
            let isLimited = (minute + step) / 60 % 24 >= 8
            #expect(rate.bytesPerSecond == (isLimited ? 1_000_000 : nil), "\(instant)")
        }
        for (step, next) in zip(horizon.bandwidth, horizon.bandwidth.dropFirst()) {
            #expect(step.rate != next.rate && step.from < next.from)
        }
    }

    /// A budget is shown now, and whole at each begin of a period; budgets by origin are not shown,
    /// because there is one for each origin.
    @Test func budgetsBeginWithTheirPeriods() throws {
        let now = Self.start + .seconds(3600)
        let horizon = ForecastHorizon(
            Situation(now: now, policy: try Self.policy(), zone: .utc),
            until: now + .seconds(72 * 3600), app: "a")
        let day = Duration.seconds(86_400)
        #expect(
            horizon.budgets.map(\.from)
                == [now, Self.start + day, Self.start + day * 2, Self.start + day * 3])
        #expect(horizon.budgets.allSatisfy { $0.name == "day" && $0.left == 1_000_000_000 })
    }

    @Test func bytesThatWereSpentAreNotLeft() throws {
        let policy = try Self.policy()
        let budget = try #require(policy.budgets.first)
        let now = Self.start + .seconds(3600)
        let key = BudgetKey(owner: budget.owner, budget: budget.name, value: "")
        let period = budget.span(at: now, in: .utc)
        for (spent, left) in [(Int64(0), 1_000_000_000), (1, 999_999_999), (2_000_000_000, 0)] {
            var book = BudgetBook()
            book.take([(key, BudgetReading(period: period, spent: spent, reserved: 0))])
            let horizon = ForecastHorizon(
                Situation(now: now, policy: policy, zone: .utc, budgets: book),
                until: now + .seconds(60), app: "a")
            #expect(horizon.budgets.map(\.left) == [Int64(left)])
        }
    }

    /// Windows that open and close each minute do not make an answer without end.
    @Test func eachListHasAnEnd() throws {
        let spans = (0..<24).map { #""\#($0 / 10)\#($0 % 10):00-\#($0 / 10)\#($0 % 10):30""# }
        let windows = (0..<20).map { #""w\#($0)": [\#(spans.joined(separator: ","))]"# }
        let policy = try Self.policy("{\(windows.joined(separator: ","))}")
        let horizon = ForecastHorizon(
            Situation(now: Self.start, policy: policy, zone: .utc),
            until: Self.start + .seconds(72 * 3600), app: "a")
        #expect(horizon.windows.count == 500)
    }
}
