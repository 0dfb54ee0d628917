// A download waits for the hours that its rule prefers, as long as it has time.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct PreferenceVerdictTests {
    private static let start = PriceCurveTests.start
    private static let hour = Duration.seconds(3600)
    /// Dear until the 12th hour, then cheap for four.
    private static let values = (0..<72).map { (12..<16).contains($0) ? 0.1 : 0.3 }

    private static func world(_ values: [Double] = values) throws -> (Policy, ConditionBook) {
        var (policy, book, _) = try PriceCurveTests.book()
        book.take(PriceCurveTests.push(values), of: "price", at: start)
        return (policy, book)
    }

    private static func judge(
        _ candidate: AdmissionCandidate, after hours: Int, values: [Double] = values
    ) throws -> PolicyVerdict {
        let (policy, book) = try world(values)
        return PolicyVerdict(
            candidate,
            in: Situation(
                now: start + hour * hours, policy: policy, zone: .utc, conditions: book))
    }

    private static func candidate(
        hours: Int64, by end: Int? = nil, rank: Int = 2
    ) -> AdmissionCandidate {
        Policies.candidate(at: start) {
            $0.need = TransferNeed.assumedRate * 3600 * hours
            $0.rank = rank
            $0.deadline.complete = end.map { start + hour * $0 }
        }
    }

    @Test func aDownloadWaitsForTheCheapHours() throws {
        let verdict = try Self.judge(Self.candidate(hours: 2), after: 0)
        let opening = Self.start + Self.hour * 12
        #expect(verdict.blockers.map(\.code) == [.preferredTime])
        #expect(verdict.blockers[0].rule == "cheap" && verdict.blockers[0].isSoft)
        #expect(verdict.blockers[0].until == opening && verdict.opening() == opening)
        #expect(
            verdict.blockers[0].detail
                == "discretionary downloads wait for hours in which price is at most 0.1 EUR; the "
                + "next begins at 2026-11-23T22:00:00.000Z")
        #expect(verdict.earliestKnown == opening)
        #expect(verdict.stoppingRule == "cheap")
        #expect(try Self.judge(Self.candidate(hours: 2), after: 12).isOpen)
        #expect(try Self.judge(Self.candidate(hours: 2), after: 12).stoppingRule == nil)
        // Later hours are no cheaper.
        #expect(try Self.judge(Self.candidate(hours: 2), after: 16).isOpen)
    }

    @Test func otherDownloadsDoNotWait() throws {
        var other = Self.candidate(hours: 2)
        other.isDiscretionary = false
        #expect(try Self.judge(other, after: 0).isOpen)
        #expect(try Self.judge(other, after: 0).rules[0].outcome == .notMatched)
    }

    /// The classes of priority wait for 6, 12, 24 and 48 hours.
    @Test(arguments: zip(0..<4, [6, 12, 24, 48])) func itWaitsAsLongAsItsClass(
        rank: Int, hours: Int
    ) throws {
        // The only cheap hours are too late for all classes but the last, which waits longest.
        let late = (0..<72).map { $0 == 40 ? 0.1 : 0.3 }
        let candidate = Self.candidate(hours: 0, rank: rank)
        let first = try Self.judge(candidate, after: 0, values: late)
        #expect(first.isOpen == (hours < 48))
        // A download does not wait while the price rises; it waits for a price that falls in time.
        let falling = (0..<72).map { 1 - Double($0) / 100 }
        let verdict = try Self.judge(candidate, after: 0, values: falling)
        let until = try #require(verdict.blockers.first?.until)
        #expect(until <= Self.start + Self.hour * hours)
        #expect(try Self.judge(candidate, after: hours, values: falling).isOpen)
    }

    /// A deadline before the cheap hours leaves the earlier ones; a near deadline ends the waiting.
    @Test func aDeadlineEndsTheWaiting() throws {
        #expect(try Self.judge(Self.candidate(hours: 2, by: 11), after: 0).isOpen)
        let tight = Self.candidate(hours: 3, by: 16)
        let verdict = try Self.judge(tight, after: 0)
        // The calendar is open until 14:45 only; three hours of it have two prices.
        #expect(verdict.isOpen)
        let loose = Self.candidate(hours: 2, by: 20)
        #expect(try !Self.judge(loose, after: 11).isOpen)
        #expect(try Self.judge(loose, after: 18).isGuarded)
        #expect(try Self.judge(loose, after: 18).isOpen)
    }

    @Test func whatWasBookedCountsBeforeWhatItWouldBookAlone() throws {
        var (policy, book) = try Self.world()
        let preference = try #require(policy.rules[0].preference)
        let candidate = Policies.candidate(at: Self.start) {
            $0.need = TransferNeed.assumedRate * 3600 * 2
            $0.originName = "https://a.example:443"
        }
        let end = Self.start + SoftCurve.life(rank: 2)
        // The demand is more than the cheap hours hold.
        let demand = CalendarDemand(
            origin: "https://a.example:443", end: end, count: 60, bytes: 60 * 7.2e9,
            largest: 7.2e9, rate: 1e6, perOrigin: 6)
        book.book([preference: [demand]], in: CalendarCapacity(), at: Self.start)
        let situation = Situation(now: Self.start, policy: policy, zone: .utc, conditions: book)
        #expect(PolicyVerdict(candidate, in: situation).isOpen)
        var elsewhere = candidate
        elsewhere.originName = "https://b.example:443"
        #expect(!PolicyVerdict(elsewhere, in: situation).isOpen)
    }

    @Test func anExplanationShowsThePreference() throws {
        let rules = try Self.judge(Self.candidate(hours: 2), after: 0).rules
        #expect(rules.map(\.outcome) == [.closed])
        #expect(rules[0].requirements.map(\.text) == ["prefer least price"])
        #expect(rules[0].requirements[0].value == .number(0.3))
        #expect(rules[0].requirements[0].until == Self.start + Self.hour * 12)
        let open = try Self.judge(Self.candidate(hours: 2), after: 12).rules
        #expect(open[0].outcome == .open && open[0].requirements[0].outcome == .met)
    }

    /// The lanes of a queue are booked by their origins; without a deadline in parts.
    @Test func lanesAreBookedByTheRulesAboutThem() throws {
        var (policy, book) = try Self.world()
        let preference = try #require(policy.rules[0].preference)
        var lanes = [true, false].map { isDiscretionary in
            CalendarLane(
                Policies.candidate(at: Self.start) {
                    $0.isDiscretionary = isDiscretionary
                    $0.originName = "https://\(isDiscretionary ? "a" : "b").example:443"
                    $0.need = 1_000_000_000
                }, count: 20, unknown: 5, bytes: 15_000_000_000, lastRunAt: Self.start)
        }
        let situation = Situation(now: Self.start, policy: policy, zone: .utc, conditions: book)
        book.book(lanes, in: situation)
        let end = Self.start + SoftCurve.life(rank: 2)
        #expect(book.calendar.booking(preference, origin: "https://a.example:443", end: end) != nil)
        #expect(book.calendar.booking(preference, origin: "https://b.example:443", end: end) == nil)
        #expect(lanes[0].demands(in: situation).map(\.bytes) == [20e9])
        lanes[0].lastRunAt = Self.start + Self.hour * 14
        let parts = lanes[0].demands(in: situation)
        #expect(parts.count == 8 && parts.map(\.count) == [3, 3, 3, 3, 2, 2, 2, 2])
        #expect(parts.first?.end == end && parts.last?.end == end + Self.hour * 14)
        #expect(abs(parts.reduce(0) { $0 + $1.bytes } - 20e9) < 1)
    }
}
