// The queue run forward: slots, gates, classes, windows, unknown sizes.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct ForecastTests {
    /// Monday 12:00 UTC.
    private static let now = Timestamp(seconds: 1_772_452_800)

    private static func lane(
        _ number: Int64, count: Int = 1, bytes: Double = 1_048_576, at delay: Int = 0,
        kind: SchedulingClass = .normal, app: Int64 = 1, session: Int64 = 1, origin: Int64 = 1,
        originLimit: Int? = nil
    ) -> ForecastLane {
        var candidate = AdmissionCandidate(
            isDiscretionary: kind == .discretionary, session: "s\(session)", createdAt: now,
            waitingSince: now, runAt: now + .seconds(delay), attempt: 0,
            origin: GateReading(limit: originLimit), sessionGate: GateReading())
        candidate.schedulingClass = kind
        candidate.app = "a\(app)"
        return ForecastLane(
            number: number, flow: LaneFlow(app: app, session: session, origin: origin),
            candidate: candidate,
            batches: [
                ForecastLane.Batch(
                    runAt: now + .seconds(delay), count: count, bytes: bytes * Double(count),
                    unsized: 0)
            ])
    }

    private static func outlook(
        _ lanes: [ForecastLane], slots: Int = 4, policy text: String = "{}",
        learned: LearnedFacts = LearnedFacts(), runs: [ForecastRun] = [], seeds: Int = 1
    ) throws -> ForecastOutlook {
        let reading = Policy.read(
            try JSON.parse(Array(text.utf8)),
            defaults: PolicyLimits(running: slots, perOrigin: 1000), isZone: { $0 == "UTC" })
        let policy = try #require(reading.policy)
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: now, policy: policy, zone: .utc, learned: learned),
                lanes: lanes, runs: runs, slots: slots))
        while forecast.seeds < seeds, !forecast.step(1000) {}
        return try #require(forecast.outlook)
    }

    /// A download of 1 MiB takes a second and a half: half a second to its first byte.
    @Test func slotsAreFilledOneAfterTheOther() throws {
        let outlook = try Self.outlook([Self.lane(1, count: 12)])
        for position in 0..<12 {
            let begin = try #require(outlook.expectation(lane: 1, position: position)).begin.p50
            #expect(abs(begin - 1.5 * Double(position / 4)) < 0.01, "\(position): \(begin)")
        }
        #expect(outlook.expectation(lane: 1, position: 12) == nil)
        #expect(outlook.expectation(lane: 2, position: 0) == nil)
        #expect(outlook.count(of: .normal, before: 1.4) == 4)
        #expect(outlook.count(of: .normal, before: 1000) == 12)
    }

    /// Seconds of single precision may say a little less than the date, and a range is widened by
    /// past misses; yet a blocker that ends at a known instant holds until then.
    @Test func noBeginIsShownBeforeWhatIsKnown() throws {
        var dice = SeededRandom(seed: 56)
        for round in 0..<300 {
            var lane = Self.lane(1)
            let ahead = Int64.random(in: 1...4_700_000_000_000, using: &dice)
            let date = Self.now + .microseconds(dice.isOne(in: 2) ? ahead : ahead / 1_000_000)
            lane.candidate.lane = 1
            var blockers: [Blocker] = []
            if round.isMultiple(of: 2) {
                lane.candidate.runAt = date
                lane.batches[0].runAt = date
            } else {
                let later = date + .seconds(60)
                blockers = [
                    Blocker(.window, "", since: Self.now),
                    Blocker(.window, "", since: Self.now, until: date),
                    Blocker(.window, "", since: Self.now, until: later, waivedAt: date),
                ]
            }
            let outlook = try Self.outlook([lane])
            var writer = JSONWriter()
            writer.beginObject()
            outlook.write(
                of: lane.candidate, heldBackBy: blockers, ForecastCalibration(), to: &writer)
            writer.endObject()
            let shown = try JSON.parse(Array(writer.text.utf8))
            for (member, name) in [
                ("begin", "p10"), ("begin", "p50"), ("begin", "p90"), ("end", "p50"),
            ] {
                let text = try #require(shown[member]?[name]?.stringValue)
                #expect(try #require(Timestamp(rfc3339: text)) >= Self.floor(date), "\(text)")
            }
        }
    }

    /// The instant cut to the millisecond, as the API writes it.
    private static func floor(_ instant: Timestamp) -> Timestamp {
        Timestamp(microseconds: instant.microseconds / 1000 * 1000)
    }

    @Test func whatRunsHoldsItsSlotToItsEnd() throws {
        let run = ForecastRun(
            flow: LaneFlow(app: 1, session: 1, origin: 1), schedulingClass: .normal,
            bytesLeft: 1000, rate: 100)
        let outlook = try Self.outlook([Self.lane(1)], slots: 1, runs: [run])
        let begin = try #require(outlook.expectation(lane: 1, position: 0)).begin.p50
        #expect(abs(begin - 10) < 0.01)
    }

    @Test func anOriginsLimitHoldsOverItsLanes() throws {
        let lanes = (1...8).map {
            Self.lane($0, session: $0, origin: 7, originLimit: 2)
        }
        let outlook = try Self.outlook(lanes, slots: 100)
        let begins = try (1...8).map {
            try #require(outlook.expectation(lane: $0, position: 0)).begin.p50
        }.sorted()
        for (place, begin) in begins.enumerated() {
            #expect(abs(begin - 1.5 * Double(place / 2)) < 0.01, "\(place): \(begin)")
        }
    }

    @Test func higherClassesBeginFirst() throws {
        let outlook = try Self.outlook(
            [Self.lane(1, count: 20, kind: .discretionary), Self.lane(2, count: 20, session: 2)],
            slots: 1)
        let last = try #require(outlook.expectation(lane: 2, position: 19)).begin.p50
        let first = try #require(outlook.expectation(lane: 1, position: 0)).begin.p50
        #expect(first > last)
    }

    @Test func appsShareByBytes() throws {
        let outlook = try Self.outlook(
            [
                Self.lane(1, count: 100, app: 1, session: 1),
                Self.lane(2, count: 10, app: 2, session: 2),
            ], slots: 1)
        // The tenth of the small app is about the twentieth of all.
        let end = try #require(outlook.expectation(lane: 2, position: 9)).begin.p50
        #expect(abs(end - 19 * 1.5) < 3.1, "\(end)")
    }

    private static let nights = """
        {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
         "rules": [{"name": "nights", "match": {"is_discretionary": true},
                    "require": ["window night"]}]}
        """

    @Test func aWindowOpensByTheVerdict() throws {
        let outlook = try Self.outlook(
            [Self.lane(1, kind: .discretionary), Self.lane(2, session: 2)],
            policy: Self.nights)
        let night = try #require(outlook.expectation(lane: 1, position: 0)).begin.p50
        #expect(night == 10 * 3600)
        #expect(outlook.expectation(lane: 2, position: 0)?.begin.p50 == 0)
    }

    /// Eight hours of 64 MiB/s are not enough for all downloads: the rest waits for the next night.
    @Test func whatDoesNotFitIntoANightWaitsForTheNext() throws {
        let hour = 3600.0 * 1_048_576
        let outlook = try Self.outlook(
            [Self.lane(1, count: 30, bytes: hour, kind: .discretionary)], slots: 2,
            policy: Self.nights)
        for (position, hours) in [(0, 10), (1, 10), (2, 11), (15, 17), (16, 34), (29, 40)] {
            let begin = try #require(outlook.expectation(lane: 1, position: position)).begin.p50
            #expect(abs(begin / 3600 - Double(hours)) < 0.1, "\(position): \(begin / 3600)")
        }
        let hours = outlook.hours
        #expect(hours[9].bytes.p50 == 0 && hours[12].bytes.p50 > 1.9 * hour)
        #expect(hours[20].bytes.p50 == 0 && hours[36].bytes.p50 > 1.9 * hour)
        #expect(abs(hours[12].running - 2) < 0.1)
    }

    @Test func whatIsNeverOpenIsNotExpected() throws {
        let outlook = try Self.outlook(
            [Self.lane(1, kind: .discretionary), Self.lane(2, session: 2)],
            policy: """
                {"conditions": {"go": {"type": "boolean"}},
                 "rules": [{"name": "go", "match": {"is_discretionary": true},
                            "require": ["go = true"]}]}
                """)
        #expect(outlook.expectation(lane: 1, position: 0) == nil)
        #expect(outlook.expectation(lane: 2, position: 0) != nil)
        #expect(outlook.unknownConditions == ["go"])
    }

    @Test func unknownSizesAndRatesAreDrawnFromWhatWasLearned() throws {
        var learned = LearnedFacts()
        for step in 1...100 {
            learned.add(
                Double(step) * 1e7, .size, to: LearnedKey.sizes(session: 1, origin: 1),
                at: Self.now)
            learned.add(
                Double(step) * 1e6, .rate,
                to: LearnedKey.rates(origin: 1, quarter: LearnedKey.quarter(of: Self.now)),
                at: Self.now)
        }
        var lane = Self.lane(1, count: 40)
        lane.batches[0].bytes = 0
        lane.batches[0].unsized = 40
        let outlook = try Self.outlook([lane], slots: 1, learned: learned, seeds: 16)
        #expect(outlook.seeds == 16)
        let range = try #require(outlook.expectation(lane: 1, position: 30)).begin
        #expect(range.p10 < range.p50 && range.p50 < range.p90)
        #expect(outlook.samples == 200)
    }

    /// Whatever the lanes and their bytes are, every download has its begin, in order.
    @Test(arguments: 0..<40)
    func everyDownloadBeginsOnceAndLimitsHold(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let slots = Int.random(in: 1...8, using: &random)
        let lanes = (1...Int64.random(in: 1...60, using: &random)).map { number in
            Self.lane(
                number, count: Int.random(in: 1...50, using: &random),
                bytes: Double.random(in: 1...1e8, using: &random),
                at: Int.random(in: 0...100_000, using: &random),
                kind: Bool.random(using: &random) ? .normal : .discretionary,
                app: Int64.random(in: 1...3, using: &random), session: number % 7,
                origin: Int64.random(in: 1...5, using: &random),
                originLimit: Int.random(in: 1...4, using: &random))
        }
        let outlook = try Self.outlook(
            lanes, slots: slots, policy: seed.isMultiple(of: 2) ? Self.nights : "{}", seeds: 2)
        var spans: [(origin: Int64, from: Double, to: Double)] = []
        for lane in lanes {
            var last = 0.0
            for position in 0..<lane.count {
                let found = try #require(
                    outlook.expectation(lane: lane.number, position: position))
                #expect(found.begin.p10 >= last - 0.01)
                #expect(
                    found.begin.p10 + 0.01
                        >= Double((lane.batches[0].runAt - Self.now).wholeMilliseconds) / 1000)
                last = found.begin.p10
                spans.append((lane.flow.origin, found.begin.p10, found.end))
            }
        }
        // Both futures are equal, as nothing is drawn.
        for instant in spans.map(\.from) {
            let open = spans.filter { $0.from <= instant + 0.01 && $0.to > instant + 0.02 }
            #expect(open.count <= slots)
        }
    }
}
