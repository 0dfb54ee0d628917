// The deadlines that are refused, with the member that is named; and how they are rounded.
import Base
import Scheduling
import Testing

@Suite struct DeadlineRulesTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let end = now + .seconds(604_800)

    private static func findings(
        begin: Int64? = nil, complete: Int64? = nil, earliest: Int64? = nil,
        names: [String] = ["begin_deadline", "complete_by", "earliest_begin_date"]
    ) -> [String] {
        func instant(_ seconds: Int64?) -> Timestamp? { seconds.map { now + .seconds($0) } }
        return DeadlineRules.findings(
            begin: instant(begin), complete: instant(complete), earliest: instant(earliest),
            end: end, at: now, names: names.contains
        ).map(\.member)
    }

    @Test func deadlinesLieBetweenTheDateAndTheTimeLimit() {
        #expect(Self.findings() == [])
        for member in ["begin_deadline", "complete_by"] {
            func one(_ seconds: Int64, earliest: Int64? = nil) -> [String] {
                member == "complete_by"
                    ? Self.findings(complete: seconds, earliest: earliest)
                    : Self.findings(begin: seconds, earliest: earliest)
            }
            #expect(one(-1) == [member] && one(0) == [member] && one(1) == [])
            #expect(one(604_800) == [] && one(604_801) == [member])
            #expect(one(600, earliest: 599) == [])
            #expect(one(600, earliest: 600) == [member] && one(600, earliest: 601) == [member])
        }
    }

    @Test func ofTwoTheBeginComesFirst() {
        #expect(Self.findings(begin: 10, complete: 20) == [])
        #expect(Self.findings(begin: 20, complete: 20) == ["begin_deadline"])
        #expect(Self.findings(begin: 30, complete: 20, names: ["complete_by"]) == ["complete_by"])
        // Each deadline alone is wrong already: their order is not judged.
        #expect(Self.findings(begin: -1, complete: -2) == ["begin_deadline", "complete_by"])
    }

    /// A change of one member does not refuse another that was accepted before and became late
    /// since.
    @Test func whatARequestDoesNotNameIsNotComparedWithNow() {
        #expect(Self.findings(complete: -10, names: ["begin_deadline"]) == [])
        #expect(Self.findings(complete: 700_000, names: ["begin_deadline"]) == [])
        let date = ["earliest_begin_date"]
        #expect(Self.findings(complete: 50, earliest: 60, names: date) == date)
    }

    @Test func bucketsAreRoundedDownByTheirDistance() {
        let hour: Int64 = 3600
        let day = 24 * hour
        let midnight = Timestamp(seconds: 1_800_000_000 / day * day)
        for (left, length) in [
            (90 * 60, hour), (3 * day - 1, hour), (3 * day, 6 * hour), (14 * day - 1, 6 * hour),
            (14 * day, day), (100 * day + 5, day),
        ] {
            let deadline = midnight + .seconds(left)
            let start = DueBucket.start(of: deadline, at: midnight)
            #expect(start <= deadline && deadline - start < .seconds(length))
            #expect(start.seconds % length == 0)
            // The start of a bucket is in the bucket itself.
            #expect(DueBucket.start(of: start, at: midnight) <= start)
        }
        let before = Timestamp(microseconds: -1)
        #expect(DueBucket.start(of: before, at: before) == Timestamp(seconds: -3600))
    }
}
