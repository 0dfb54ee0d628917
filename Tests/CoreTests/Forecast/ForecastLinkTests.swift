// The forecast over a link that is slow, and over one that was.
import Base
import Testing

@testable import Scheduling

@Suite struct ForecastLinkTests {
    /// Monday 12:00 UTC.
    private static let now = Timestamp(seconds: 1_772_452_800)

    /// An origin of 1 MB/s over a link of 4 MB/s, of which for the last six hours up to some hours
    /// ago a tenth was left.
    private static func learned(slowUntil ended: Int) -> LearnedFacts {
        var facts = LearnedFacts()
        for minute in -3000...(-60 * ended) {
            let instant = now + .seconds(60 * minute)
            let isSlow = minute > -360 - 60 * ended
            let rates = LearnedKey.rates(origin: 1, quarter: LearnedKey.quarter(of: instant))
            let factor = isSlow ? 0.1 : 1
            facts.add(1e6 * factor, .rate, to: rates, at: instant)
            facts.add(4e6 * factor, .link, to: LearnedKey.links(at: instant), at: instant)
            guard isSlow else { continue }
            facts.add(1e5, .slowRate, to: rates, at: instant)
            facts.add(4e5, .slowLink, to: LearnedKey.links(at: instant), at: instant)
        }
        return facts
    }

    /// The time at which the last of 120 downloads of 60 MB begins, four at once.
    private static func begin(slowUntil ended: Int) throws -> ForecastRange {
        var candidate = AdmissionCandidate(
            isDiscretionary: false, session: "s", createdAt: now, waitingSince: now, runAt: now,
            attempt: 0, origin: GateReading(), sessionGate: GateReading())
        candidate.originKey = 1
        let lane = ForecastLane(
            number: 1, flow: LaneFlow(app: 1, session: 1, origin: 1), candidate: candidate,
            batches: [ForecastLane.Batch(runAt: now, count: 120, bytes: 7.2e9, unsized: 0)])
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(
                    now: now, policy: Policy(limits: PolicyLimits(perOrigin: 1000)), zone: .utc,
                    learned: learned(slowUntil: ended)),
                lanes: [lane], runs: [], slots: 4))
        while forecast.seeds < 25, !forecast.step(1000) {}
        let outlook = try #require(forecast.outlook)
        return try #require(outlook.expectation(lane: 1, position: 119)).begin
    }

    /// About half an hour at 4 MB/s, five hours at a tenth of it.
    @Test func aSlowLinkThatIsOverDoesNotCount() throws {
        let begin = try Self.begin(slowUntil: 1)
        #expect(begin.p90 < 2400, "\(begin)")
    }

    @Test func aSlowLinkIsSlowForLongerInSomeFutures() throws {
        let begin = try Self.begin(slowUntil: 0)
        #expect(begin.p10 < 2400 && begin.p90 > 5000, "\(begin)")
    }
}
