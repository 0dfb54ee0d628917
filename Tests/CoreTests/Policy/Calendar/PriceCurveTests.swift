// The cost of each hour: values of a schedule, and of the day before where the schedule says
// nothing.
import Base
import Testing

@testable import Scheduling

@Suite struct PriceCurveTests {
    static let start = Policies.instant("2026-11-23T10:00:00Z")

    /// A book of one policy that prefers hours.
    static func book(
        _ preference: String = "least price", ttl: String = ""
    ) throws -> (
        policy: Policy, book: ConditionBook, preference: Preference
    ) {
        let policy = try Policies.read(
            """
            {"conditions": {"price": {"type": "number", "unit": "EUR", "default": 0.3\(ttl)}},
             "rules": [{"name": "cheap", "match": {"is_discretionary": true},
                        "prefer": "\(preference)"}]}
            """)
        return (
            policy, ConditionBook(policy, at: start),
            try #require(policy.rules[0].preference)
        )
    }

    /// A push at `start` of one value an hour.
    static func push(_ values: [Double], value: Double = 0.5) -> ConditionPush {
        ConditionPush(
            value: .number(value), pushedAt: start,
            schedule: values.enumerated().map {
                .init(from: start + .seconds(3600 * $0), value: .number($1))
            })
    }

    @Test func anHourCostsWhatTheScheduleSays() throws {
        var (_, book, preference) = try Self.book()
        let values = (0..<72).map { Double($0 * 7 % 10) }
        book.take(Self.push(values), of: "price", at: Self.start + .seconds(1200))
        let curve = try #require(book.calendar.curves[preference])
        #expect(curve.start == Self.start && curve.costs == values)
        #expect(curve.cost(at: Self.start + .seconds(3599)) == 0)
        #expect(curve.cost(at: Self.start + .seconds(3600)) == 7)
        #expect(curve.cost(at: Self.start - .seconds(1)) == nil)
        #expect(curve.cost(at: Self.start + .seconds(72 * 3600)) == nil)
        // The order is by cost, then by time.
        #expect(curve.order.prefix(3) == [0, 10, 20])
        #expect(curve.order.map { curve.costs[$0] } == values.sorted())
    }

    @Test func behindTheScheduleAnHourCostsWhatItDidTheDayBefore() throws {
        var (_, book, preference) = try Self.book()
        let values = (0..<30).map { Double($0) }
        book.take(Self.push(values), of: "price", at: Self.start)
        let curve = try #require(book.calendar.curves[preference])
        #expect(Array(curve.costs[..<30]) == values)
        #expect(curve.costs[30] == 6 && curve.costs[53] == 29 && curve.costs[54] == 6)
    }

    /// A schedule of a few hours has no day before: its last value stands for the hours after it.
    @Test func aShortScheduleGoesOnWithItsLastValue() throws {
        var (_, book, preference) = try Self.book()
        book.take(Self.push([4, 2, 3]), of: "price", at: Self.start)
        let curve = try #require(book.calendar.curves[preference])
        #expect(Array(curve.costs[..<4]) == [4, 2, 3, 3] && curve.costs[71] == 3)
    }

    @Test func quartersOfAnHourAreAveraged() throws {
        var (_, book, preference) = try Self.book()
        let steps = (0..<288).map {
            ConditionPush.Step(
                from: Self.start + .seconds(900 * $0), value: .number(Double($0 % 4)))
        }
        book.take(
            ConditionPush(value: .number(0), pushedAt: Self.start, schedule: steps), of: "price",
            at: Self.start)
        #expect(book.calendar.curves[preference]?.costs == Array(repeating: 1.5, count: 72))
    }

    @Test func mostPrefersTheDearestHours() throws {
        var (_, book, preference) = try Self.book("most price")
        book.take(Self.push((0..<72).map { Double($0) }), of: "price", at: Self.start)
        #expect(book.calendar.curves[preference]?.order.first == 68)
        #expect(book.calendar.curves[preference]?.costs.first == 0)
    }

    @Test func withoutAValueThereIsNoCurve() throws {
        let (policy, book, preference) = try Self.book()
        // The default is a value for every hour.
        #expect(book.calendar.curves[preference]?.costs == Array(repeating: 0.3, count: 72))
        var bare = policy
        bare.conditions[0].standard = nil
        #expect(ConditionBook(bare, at: Self.start).calendar.curves.isEmpty)
    }

    /// Another policy takes its own preferences; a calendar that was made for another policy is
    /// dropped.
    @Test func aPolicyKeepsItsOwnPreferences() throws {
        var (_, book, _) = try Self.book()
        let old = book.calendar
        let other = try Self.book("most price")
        book.take(other.policy, at: Self.start)
        #expect(book.calendar.preferences == [other.preference])
        book.take(old)
        #expect(book.calendar.preferences == [other.preference])
    }
}
