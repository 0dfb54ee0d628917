// A forecast knows the engine's facts: its order, closings, deadlines, the link and the downloads
// to come.
import Base
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct ForecastQueueTests {
    /// Monday 12:00 UTC.
    private static let now = Timestamp(seconds: 1_772_452_800)
    private static let nights = """
        {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
         "rules": [{"name": "nights", "match": {"is_discretionary": true},
                    "require": ["window night"], "soft": true}]}
        """

    private static func lane(
        _ number: Int64, count: Int = 1, bytes: Double = 1_048_576, waited seconds: Int = 0,
        kind: SchedulingClass = .normal, origin: Int64 = 1, rank: Int = 2,
        completeBy hours: Int? = nil
    ) -> ForecastLane {
        let runAt = now - .seconds(seconds)
        var candidate = AdmissionCandidate(
            isDiscretionary: kind == .discretionary, session: "s", createdAt: runAt,
            waitingSince: runAt, runAt: runAt, attempt: 0, origin: GateReading(),
            sessionGate: GateReading(), need: Int64(bytes))
        candidate.schedulingClass = kind
        candidate.rank = rank
        candidate.originKey = origin
        candidate.sessionKey = 1
        candidate.deadline.complete = hours.map { now + .seconds(3600 * $0) }
        return ForecastLane(
            number: number, flow: LaneFlow(app: 1, session: 1, origin: origin),
            candidate: candidate,
            batches: [
                ForecastLane.Batch(
                    runAt: runAt, count: count, bytes: bytes * Double(count), unsized: 0)
            ])
    }

    private static func outlook(
        _ lanes: [ForecastLane], slots: Int, policy text: String = "{}", perOrigin: Int = 1000,
        learned: LearnedFacts = LearnedFacts(), runs: [ForecastRun] = [], replicas: Int = 1,
        seeds: Int = 1
    ) throws -> ForecastOutlook {
        let reading = Policy.read(
            try JSON.parse(Array(text.utf8)),
            defaults: PolicyLimits(running: slots, perOrigin: perOrigin), isZone: { $0 == "UTC" })
        let policy = try #require(reading.policy)
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: now, policy: policy, zone: .utc, learned: learned),
                lanes: lanes, runs: runs, slots: slots, replicas: replicas))
        while forecast.seeds < seeds, !forecast.step(1000) {}
        return try #require(forecast.outlook)
    }

    private static func begin(
        _ outlook: ForecastOutlook, _ lane: Int64, _ position: Int = 0
    ) throws -> Double {
        try #require(outlook.expectation(lane: lane, position: position)).begin.p50
    }

    /// Lanes of a class and an origin: their order is that of the plan that gives slots away.
    @Test(arguments: 0..<60)
    func downloadsBeginInTheOrderOfThePlan(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let lanes = (1...Int64.random(in: 2...30, using: &random)).map { number in
            Self.lane(
                number, waited: Int.random(in: 0...5000, using: &random),
                kind: Bool.random(using: &random) ? .normal : .discretionary,
                origin: Int64.random(in: 1...4, using: &random),
                rank: Int.random(in: 0...3, using: &random),
                completeBy: Bool.random(using: &random)
                    ? nil : Int.random(in: 20...90, using: &random))
        }
        let heads = lanes.map { lane in
            var head = LaneHead(
                lane: lane.number, runAt: lane.batches[0].runAt, sessionKey: 1, session: "s",
                originKey: lane.flow.origin, schedulingClass: lane.candidate.schedulingClass,
                rank: lane.candidate.rank, origin: GateReading(), sessionGate: GateReading())
            head.app = 1
            head.dueBucket = lane.candidate.deadline.complete
            return head
        }
        var floor = ClassFloor()
        floor.part = 0
        // All begin at one instant: the plan names them in the order of their turns.
        var plan = SlotPlan(
            heads, rooms: [:], shares: FairShares(), floor: floor, running: [:], capacity: 1000,
            cost: 1_048_576, at: Self.now)
        let planned = plan.quotas(free: 1, spare: lanes.count).map(\.head.lane)
        let outlook = try Self.outlook(
            lanes, slots: 1, policy: #"{"shares": {"discretionary_floor": 0}}"#)
        let begun = try lanes.map { ($0.number, try Self.begin(outlook, $0.number)) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        for kind in SchedulingClass.allCases {
            for origin in Int64(1)...4 {
                let own = Set(
                    heads.filter { $0.schedulingClass == kind && $0.originKey == origin }
                        .map(\.lane))
                #expect(begun.filter(own.contains) == planned.filter(own.contains))
            }
        }
        let normal = heads.count { $0.schedulingClass == .normal }
        #expect(Set(begun.prefix(normal)) == Set(planned.prefix(normal)))
    }

    /// At a full origin, and where all lanes open at one instant, the download with the earliest
    /// deadline begins first.
    @Test(arguments: 0..<60)
    func whatWaitsForAnOriginBeginsInTheOrderOfItsDeadlines(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let count = Int64.random(in: 4...40, using: &random)
        // The lanes' numbers say nothing of the order, and all have waited for long when the night
        // opens.
        let lanes = (1...count).map { number in
            Self.lane(
                number, bytes: 5e9, waited: Int.random(in: 0...30_000, using: &random),
                kind: .discretionary, origin: Int64.random(in: 1...3, using: &random), rank: 3,
                completeBy: Bool.random(using: &random)
                    ? nil : Int.random(in: 40...90, using: &random))
        }
        let limit = Int.random(in: 1...2, using: &random)
        let outlook = try Self.outlook(
            lanes, slots: Int.random(in: 2...8, using: &random), policy: Self.nights,
            perOrigin: limit)
        func due(_ lane: ForecastLane) -> Timestamp {
            lane.candidate.deadline.complete ?? lane.batches[0].runAt + LaneHead.undated
        }
        for origin in Int64(1)...3 {
            let own = lanes.filter { $0.flow.origin == origin }
            // A download that does not begin in the first night may be open by day.
            let begun = try own.map { (due($0), try Self.begin(outlook, $0.number)) }
                .sorted { $0.0 < $1.0 }.map(\.1).filter { $0 < 64_800 }
            #expect(!begun.isEmpty || own.isEmpty)
            #expect(begun == begun.sorted(), "origin \(origin), \(limit) at once")
        }
    }

    @Test(arguments: [1, 3])
    func theLinkSlowsAllTransfersTogether(_ replicas: Int) throws {
        var learned = LearnedFacts()
        for _ in 0..<10 {
            learned.add(1e6, .link, to: [.all], at: Self.now)
            learned.add(1e6, .rate, to: [.all], at: Self.now)
        }
        // Four at 1 MB/s over 1 MB/s for each replica: the fifth begins once one of them has ended.
        let lanes = [Self.lane(1, count: 5, bytes: 1e8)]
        let outlook = try Self.outlook(lanes, slots: 4, learned: learned, replicas: replicas)
        let begin = try Self.begin(outlook, 1, 4)
        let slower = 4 / min(4, Double(replicas))
        #expect(abs(begin - 100 * slower) < 12 * slower, "\(begin)")
    }

    /// A download that runs at the end of the night gives up its slot, and continues first in the
    /// next one.
    @Test func whatRunsAtAClosingGoesOnAtTheNextOpening() throws {
        let hour = 3600.0 * 1_048_576
        // Each takes five hours: the second of a slot begins at 3:00 and goes on at 22:00.
        let lanes = [Self.lane(1, count: 6, bytes: 5 * hour, kind: .discretionary, rank: 3)]
        let outlook = try Self.outlook(lanes, slots: 2, policy: Self.nights)
        for (position, hours) in [(0, 10), (1, 10), (2, 15), (3, 15), (4, 36), (5, 36)] {
            let begin = try Self.begin(outlook, 1, position) / 3600
            #expect(abs(begin - Double(hours)) < 0.1, "\(position): \(begin)")
        }
        let end = try #require(outlook.expectation(lane: 1, position: 2)).end / 3600
        #expect(abs(end - 36) < 0.1, "\(end)")
    }

    /// If a night is too short for all, a download whose deadline is near goes first.
    @Test func whatRunsAlreadyIsStoppedAtAClosingAsWell() throws {
        let night = Self.now + .seconds(36_000)
        var learned = LearnedFacts()
        for _ in 0..<10 {
            learned.add(1e6, .rate, to: LearnedKey.rates(origin: 1, quarter: 3), at: night)
        }
        // Ten hours of its transfer are left, and the night has eight.
        let flow = LaneFlow(app: 1, session: 1, origin: 1)
        let run = ForecastRun(
            flow: flow, schedulingClass: .discretionary, bytesLeft: 36_000_000_000,
            rate: 1_000_000)
        let lane = Self.lane(1, bytes: 1e6, kind: .discretionary)
        let policy = try #require(
            Policy.read(
                try JSON.parse(Array(Self.nights.utf8)),
                defaults: PolicyLimits(running: 1, perOrigin: 1), isZone: { _ in true }
            ).policy)
        var forecast = Forecast(
            ForecastInput(
                situation: Situation(now: night, policy: policy, zone: .utc, learned: learned),
                lanes: [lane], runs: [run], slots: 1))
        while forecast.seeds < 1, !forecast.step(1000) {}
        let begin = try #require(forecast.outlook?.expectation(lane: 1, position: 0)).begin.p50
        // The download's last two hours are in the next night.
        #expect(begin >= 26 * 3600 - 1, "\(begin)")
    }

    @Test func whatIsGuardedComesFirst() throws {
        let hour = 3600.0 * 1_048_576
        let lanes = [
            Self.lane(1, count: 20, bytes: hour, waited: 9000, kind: .discretionary),
            Self.lane(2, bytes: hour, kind: .discretionary, origin: 2, completeBy: 16),
        ]
        let outlook = try Self.outlook(
            lanes, slots: 1,
            policy: Self.nights.replacing("\"soft\": true", with: "\"soft\": false"))
        // The download is served in its turn at 22:00 or 23:00, as one of another origin; never
        // later than its latest begin.
        #expect(try Self.begin(outlook, 2) <= 15 * 3600)
        let alone = [
            Self.lane(1, count: 20, bytes: hour, waited: 9000, kind: .discretionary),
            Self.lane(2, bytes: hour, kind: .discretionary, completeBy: 15),
        ]
        let same = try Self.outlook(alone, slots: 1, policy: Self.nights)
        // At a shared origin the download would be the 21st; it is due before the others.
        #expect(try Self.begin(same, 2) <= 14 * 3600)
    }

    /// Expected downloads take places: the last of a queue begins later, in every future.
    @Test func whatComesTakesPlaces() throws {
        var learned = LearnedFacts()
        for day in 1...14 {
            for hour in 0..<24 {
                let at = Self.now - .seconds(86_400 * day - 3600 * hour)
                learned.add(1, .arrival, to: LearnedKey.hours(of: nil, at: at), at: at)
                for _ in 0..<60 {
                    learned.add(
                        1e6, .arrival,
                        to: LearnedKey.arrivals(of: .normal, session: 1, origin: 1, at: at),
                        at: at)
                }
            }
        }
        let rate = learned.arrivals(of: .normal, at: Self.now + .seconds(7200), now: Self.now)
        #expect(abs(rate - 60) < 1, "\(rate)")
        #expect(learned.share(session: 1, origin: 1, at: Self.now) == 1)
        #expect(learned.arrivals(of: .discretionary, at: Self.now, now: Self.now) == 0)
        // Ten hours of work for the one slot; normal downloads go before it.
        let lanes = [
            Self.lane(
                1, count: 100, bytes: 360 * 1_048_576, kind: .discretionary)
        ]
        let policy = #"{"shares": {"discretionary_floor": 0}}"#
        let quiet = try Self.outlook(lanes, slots: 1, policy: policy)
        let busy = try Self.outlook(
            lanes, slots: 1, policy: policy, learned: learned, seeds: 5)
        let (before, after) = (try Self.begin(quiet, 1, 99), try Self.begin(busy, 1, 99))
        // An hour brings 60 downloads, of a second and a half each.
        #expect(after > before * 1.01 && after < before * 1.1, "\(before) \(after)")
        // The outlook shows only downloads that wait.
        #expect(busy.waiting == 100 && busy.hours[0].running <= 1)
    }

    /// Slots are free for both classes, so the part that is kept for discretionary downloads takes
    /// no place at the origin.
    @Test func placesOfAnOriginAreForNormalWorkFirst() throws {
        let outlook = try Self.outlook(
            [Self.lane(1, count: 5, waited: 60, kind: .discretionary), Self.lane(2, count: 5)],
            slots: 20, policy: #"{"shares": {"discretionary_floor": 0.5}}"#, perOrigin: 1)
        #expect(try Self.begin(outlook, 1) > Self.begin(outlook, 2, 4))
    }

    /// Expected downloads with deadlines go before downloads without, as soon as it is known that
    /// they have one.
    @Test(arguments: [nil, 20.0])
    func whatComesWithADeadlineGoesFirst(_ hours: Double?) throws {
        var learned = LearnedFacts()
        for hour in 0..<336 {
            let instant = Self.now - .seconds(3600 * hour)
            learned.add(1, .arrival, to: LearnedKey.hours(of: nil, at: instant), at: instant)
            learned.add(
                1, .arrival,
                to: LearnedKey.arrivals(of: .discretionary, session: 1, origin: 1, at: instant),
                at: instant)
            learned.add(
                hours.map { $0 * 3600 } ?? LearnedMeasure.noDeadline, .life,
                to: LearnedKey.sizes(session: 1, origin: 1), at: instant)
            learned.add(1e9, .size, to: LearnedKey.sizes(session: 1, origin: 1), at: instant)
            learned.add(1e6, .rate, to: LearnedKey.rates(origin: 1, quarter: 0), at: instant)
        }
        // A transfer takes about a quarter of an hour, and one comes in each hour until the night.
        let lane = Self.lane(1, bytes: 1e6, waited: 600, kind: .discretionary)
        let begin = try Self.begin(
            try Self.outlook([lane], slots: 1, policy: Self.nights, learned: learned), 1)
        #expect(hours == nil ? begin <= 36_001 : begin > 36_000 + 3600, "\(begin)")
    }
}
