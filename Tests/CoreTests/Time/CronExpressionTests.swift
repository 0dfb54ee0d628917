// Cron expressions: what they take, and their instants where clocks change.
import Testing

@testable import Base

@Suite struct CronExpressionTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll",
        "Asia/Gaza", "Pacific/Apia", "Pacific/Kiritimati", "Africa/Casablanca", "Asia/Kathmandu",
    ]

    /// Instants near which clocks of these zones change.
    private static let changes = [
        "2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z", "2026-03-08T06:00:00Z",
        "2026-11-01T05:00:00Z", "2026-04-04T15:00:00Z", "2026-10-03T15:00:00Z",
        "2011-12-29T12:00:00Z", "1994-12-31T00:00:00Z", "2024-02-29T00:00:00Z",
    ]

    /// Every minute of a span by what the clock shows, found by going through the span.
    private struct Clock {
        var instants: [CivilTime: [Timestamp]] = [:]
        var readings: [(at: Timestamp, local: CivilTime)] = []

        init(from start: Timestamp, minutes: Int, _ zone: TimeZoneRules) {
            for minute in 0..<minutes {
                let at = start + .seconds(60 * minute)
                let local = zone.civil(at: at)
                instants[local, default: []].append(at)
                readings.append((at, local))
            }
        }

        /// The instants of an expression, by the words of the rule.
        func instants(of expression: CronExpression) -> [Timestamp] {
            guard !expression.hasEveryHour else {
                return readings.filter { expression.shows($0.local) }.map(\.at)
            }
            var found: Set<Timestamp> = []
            guard let first = readings.first?.local, let last = readings.last?.local else {
                return []
            }
            var reading = first.secondsSinceEpoch
            while reading <= last.secondsSinceEpoch {
                let local = CivilTime(secondsSinceEpoch: reading)
                reading += 60
                guard expression.shows(local) else { continue }
                if let at = instants[local]?.first {
                    found.insert(at)
                } else if let later = readings.first(where: {
                    $0.local.secondsSinceEpoch > local.secondsSinceEpoch
                }) {
                    found.insert(later.at)
                }
            }
            return found.sorted()
        }
    }

    private static func field(
        _ range: ClosedRange<Int>, _ random: inout SeededRandom
    ) -> String {
        func number() -> Int { Int.random(in: range, using: &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: return "*"
        case 2: return "\(number())"
        case 3: return "*/\(Int.random(in: 1...range.count, using: &random))"
        case 4:
            let ends = [number(), number()].sorted()
            return "\(ends[0])-\(ends[1])/\(Int.random(in: 1...range.count, using: &random))"
        default: return "\(number()),\(number())"
        }
    }

    /// The occurrences of random expressions are those that going through every minute finds.
    @Test(arguments: zones)
    func eachOccurrenceIsFoundByGoingThroughEveryMinute(_ name: String) throws {
        let clock = try zone(name)
        var random = SeededRandom(seed: 43)
        for text in Self.changes {
            let change = try #require(Timestamp(rfc3339: text))
            let start = change - .seconds(2 * 86_400)
            let span = Clock(from: start, minutes: 5 * 1440, clock)
            let end = try #require(span.readings.last).at - .seconds(86_400)
            for _ in 0..<12 {
                let fields = [
                    Self.field(0...59, &random), Self.field(0...23, &random), "*", "*",
                    random.isOne(in: 2) ? "*" : Self.field(0...7, &random),
                ]
                let expression = try CronExpression(fields.joined(separator: " "))
                // A time in a gap before the span is not seen by going through it.
                let from = start + .seconds(86_400)
                let expected = span.instants(of: expression).filter { $0 > from && $0 < end }
                var found: [Timestamp] = []
                var at = from
                while let next = expression.next(after: at, in: clock), next.at < end {
                    #expect(next.at > at)
                    at = next.at
                    found.append(at)
                }
                #expect(found == expected, "\(expression.text) in \(name) near \(text)")
            }
        }
    }

    /// Each change of the clock is named at its occurrence.
    @Test func occurrencesNameTheChangeOfTheClock() throws {
        let clock = try zone("Europe/Berlin")
        func next(_ text: String, after instant: String) throws -> CronExpression.Occurrence? {
            try CronExpression(text).next(
                after: try #require(Timestamp(rfc3339: instant)), in: clock)
        }
        let table: [(String, String, String, CronExpression.Occurrence.Change?)] = [
            ("30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z", .gap),
            ("0,15,30 2 * * *", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00.000Z", nil),
            ("30 * * * *", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00.000Z", nil),
            ("30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z", .repeat),
            ("30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00.000Z", nil),
            ("30 * * * *", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00.000Z", .repeat),
            ("0 3 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z", nil),
        ]
        for (text, after, at, change) in table {
            let found = try next(text, after: after)
            #expect(found?.at == Timestamp(rfc3339: at), "\(text) \(after)")
            #expect(found?.change == change, "\(text) \(after)")
        }
    }

    @Test(arguments: [
        ("0 0 29 2 *", "2097-01-01T00:00:00Z", "2104-02-29T00:00:00.000Z"),
        ("0 0 */29 2 mon", "2000-03-01T00:00:00Z", "2010-02-01T00:00:00.000Z"),
        ("0 0 L * *", "2026-02-01T00:00:00Z", "2026-02-28T00:00:00.000Z"),
        ("0 0 l 2 *", "2027-03-01T00:00:00Z", "2028-02-29T00:00:00.000Z"),
        ("0 0 * * mon#5", "2026-01-01T00:00:00Z", "2026-03-30T00:00:00.000Z"),
        ("0 0 13 * fri", "2026-11-01T00:00:00Z", "2026-11-06T00:00:00.000Z"),
        ("0 0 */2 * fri", "2026-11-01T00:00:00Z", "2026-11-13T00:00:00.000Z"),
        ("0 0 * * 7", "2026-11-01T00:00:00Z", "2026-11-08T00:00:00.000Z"),
        ("0 0 * * fri-sun", "2026-11-06T00:00:00Z", "2026-11-07T00:00:00.000Z"),
        ("0 0 1 jan,JUL *", "2026-02-01T00:00:00Z", "2026-07-01T00:00:00.000Z"),
        ("5-59/20 23 * * *", "2026-11-06T23:25:00Z", "2026-11-06T23:45:00.000Z"),
    ])
    func nextDay(_ text: String, _ after: String, _ expected: String) throws {
        let found = try CronExpression(text).next(
            after: try #require(Timestamp(rfc3339: after)), in: .utc)
        #expect(found?.at == Timestamp(rfc3339: expected))
    }

    @Test(arguments: [
        ("", "five"), ("* * * *", "five"), ("* * * * * *", "five"), ("60 * * * *", "0 to 59"),
        ("* 24 * * *", "0 to 23"), ("* * 0 * *", "1 to 31"), ("* * 32 * *", "1 to 31"),
        ("* * * 13 *", "1 to 12"), ("* * * * 8", "0 to 7"), ("* * * foo *", "from jan to dec"),
        ("5-1 * * * *", "rises"), ("* * * * sat-mon", "rises"), ("5/10 * * * *", "5-59/10"),
        ("*/0 * * * *", "step"), ("*/61 * * * *", "step"), ("1,,2 * * * *", "0 to 59"),
        ("* * 15W * *", "1 to 31"), ("* * ? * *", "1 to 31"), ("* * * * 5L", "0 to 7"),
        ("* * * * mon#6", "1 to 5"), ("* * * * #2", "0 to 7"), ("1-2-3 * * * *", "two ends"),
        ("0 0 30 2 *", "none of its months"), ("0 0 31 2,4,6 *", "none of its months"),
        ("0 0 */20 * mon#2", "none of its months"), ("@daily", "five"), ("-1 * * * *", "0 to 59"),
    ])
    func refusesWithWhatToWrite(_ text: String, _ part: String) {
        let error = #expect(throws: CronError.self) { try CronExpression(text) }
        #expect(error?.description.contains(part) == true, "\(String(describing: error))")
    }
}

extension CronExpression {
    fileprivate func shows(_ local: CivilTime) -> Bool {
        matches(local.date) && hours & 1 << UInt64(local.hour) != 0
            && minutes & 1 << UInt64(local.minute) != 0 && local.second == 0
    }
}
