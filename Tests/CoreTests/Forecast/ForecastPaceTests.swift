// Transfers are slow at present: downloads that may begin at once are judged by that pace, later
// ones by the usual pace.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct ForecastPaceTests {
    /// Monday 12:00 UTC.
    private static let now = Timestamp(seconds: 1_772_452_800)
    private static let nights = """
        {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
         "rules": [{"name": "nights", "match": {"is_discretionary": true},
                    "require": ["window night"], "soft": true}]}
        """

    /// A discretionary download of 7.2 GB, two hours at the usual rate.
    private static func lane(
        _ number: Int64, origin: Int64, in later: Int = 0, completeBy hours: Int?
    ) -> ForecastLane {
        let runAt = now + .seconds(3600 * later)
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: now, waitingSince: now, runAt: runAt,
            attempt: 0, origin: GateReading(), sessionGate: GateReading(), need: 7_200_000_000)
        candidate.schedulingClass = .discretionary
        candidate.originKey = origin
        candidate.sessionKey = 1
        candidate.isResumable = true
        candidate.rank = 3
        candidate.deadline.complete = hours.map { now + .seconds(3600 * $0) }
        return ForecastLane(
            number: number, flow: LaneFlow(app: 1, session: 1, origin: origin),
            candidate: candidate,
            batches: [ForecastLane.Batch(runAt: runAt, count: 1, bytes: 7.2e9, unsized: 0)])
    }

    /// The begin of each lane in seconds, where transfers have a fifth of their usual rate.
    private static func begins(_ lanes: [ForecastLane], slots: Int) throws -> [Double] {
        let policy = try #require(
            Policy.read(
                try JSON.parse(Array(nights.utf8)),
                defaults: PolicyLimits(running: slots, perOrigin: 10), isZone: { $0 == "UTC" }
            ).policy)
        var learned = LearnedFacts()
        for origin in Int64(1)...2 {
            for quarter in 0..<4 {
                for _ in 0..<10 {
                    learned.add(
                        1e6, .rate, to: LearnedKey.rates(origin: origin, quarter: quarter),
                        at: now)
                }
            }
        }
        learned.pace = 0.2
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: now, policy: policy, zone: .utc, learned: learned),
                lanes: lanes, runs: [], slots: slots))
        while forecast.seeds < 1, !forecast.step(1000) {}
        let outlook = try #require(forecast.outlook)
        return try lanes.map {
            try #require(outlook.expectation(lane: $0.number, position: 0)).begin.p50
        }
    }

    /// By the present slow pace the download would not wait for the night; by the usual pace the
    /// night is early enough.
    @Test(arguments: [0, 6]) func whatOpensLaterIsJudgedByTheUsualPace(_ hours: Int) throws {
        let lane = Self.lane(1, origin: 1, in: hours, completeBy: 20)
        let begins = try Self.begins([lane], slots: 1)
        #expect(begins == [36_000])
    }

    /// The download has nine hours, and needs ten by the present pace.
    @Test func whatIsOpenNowIsNotSaidToOpenLater() throws {
        let begins = try Self.begins([Self.lane(1, origin: 1, completeBy: 9)], slots: 1)
        #expect(begins == [0])
    }

    /// Guarded by the present pace it would be first at 22:00; by the usual pace it has time.
    @Test func whatHasTimeAtTheUsualPaceIsNotServedFirst() throws {
        let begins = try Self.begins(
            [
                Self.lane(1, origin: 1, completeBy: nil), Self.lane(2, origin: 2, completeBy: 20),
            ], slots: 1)
        #expect(begins[0] == 36_000 && begins[1] > 40_000, "\(begins)")
    }
}
