// Forecasts made while a world runs, to be compared with what comes.
import Core

/// Lets a scheduler decide, and every few hours forecasts what waits by the service's own code.
struct ForecastProbe<Base: Scheduler>: Scheduler {
    /// Minutes between two forecasts.
    private static var every: Int { 6 * 60 }
    /// Futures of each.
    private static var seeds: Int { 9 }

    let name: String
    let isPreemptive: Bool
    private var base: Base
    private let policy: Policy
    private var learned = LearnedFacts()
    private var madeAt: Int?
    /// What was forecast, in the order of time.
    private(set) var made: [ForecastCase] = []
    private let keep: ([ForecastCase]) -> Void

    /// Probes the decisions of a scheduler under a policy; `keep` is given all forecasts after
    /// each round.
    init(_ base: Base, policy text: String, keep: @escaping ([ForecastCase]) -> Void) {
        self.base = base
        name = base.name
        isPreemptive = base.isPreemptive
        self.keep = keep
        guard case .success(let document) = Result(catching: { try JSON.parse(Array(text.utf8)) }),
            let policy = Policy.read(
                document,
                defaults: PolicyLimits(running: World.slots, perOrigin: World.perOrigin),
                isZone: { $0 == "UTC" }
            ).policy
        else { preconditionFailure("the policy is not sound") }
        self.policy = policy
    }

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        if World.counted.contains(now), now % Self.every == 0, madeAt != now {
            madeAt = now
            forecast(yard, now)
        }
        return base.order(yard, at: now)
    }

    mutating func observe(origin: Int, rate: Double, at now: Int) {
        base.observe(origin: origin, rate: rate, at: now)
        // One sample for each transfer in ten minutes is enough.
        guard now % 10 == 0 else { return }
        let instant = ForecastClock.instant(now)
        learned.add(
            rate / 60, .rate,
            to: LearnedKey.rates(
                origin: Int64(origin), quarter: LearnedKey.quarter(of: instant)), at: instant)
    }

    mutating func learn(_ job: Job, at now: Int) {
        base.learn(job, at: now)
        let instant = ForecastClock.instant(now)
        let origin = Int64(job.download.origin)
        learned.add(
            job.download.bytes, .size, to: LearnedKey.sizes(session: 1, origin: origin),
            at: instant)
        learned.add(
            1 / Double(max(1, job.attempts)), .progress,
            to: LearnedKey.progress(origin: origin), at: instant)
    }

    private mutating func forecast(_ yard: Yard, _ now: Int) {
        let situation = Situation(
            now: ForecastClock.instant(now), policy: policy, zone: .fixed(offset: 0),
            learned: learned)
        var running: [Int: Int] = [:]
        for number in yard.running { running[yard.jobs[number].download.origin, default: 0] += 1 }
        let waiting = yard.live.filter { yard.jobs[$0].began == nil }
        guard !waiting.isEmpty else { return }
        let lanes = waiting.map { lane(yard.jobs[$0].download, running) }
        let runs = yard.running.map { run(yard.jobs[$0], situation.now) }
        var forecast = Forecast(
            ForecastInput(
                situation: situation, lanes: lanes, runs: runs, slots: World.slots))
        while forecast.seeds < Self.seeds, !forecast.step(10_000) {}
        guard let outlook = forecast.outlook else { return }
        for lane in lanes {
            guard let expected = outlook.expectation(lane: lane.number, position: 0) else {
                continue
            }
            let opening = Explanation(lane.candidate, in: situation).until ?? situation.now
            made.append(
                ForecastCase(
                    number: Int(lane.number), madeAt: now, range: expected.begin,
                    naive: Double((opening - situation.now).wholeMilliseconds) / 1000))
        }
        keep(made)
    }

    private func lane(_ download: WorldDownload, _ running: [Int: Int]) -> ForecastLane {
        let created = ForecastClock.instant(download.created)
        var candidate = AdmissionCandidate(
            isDiscretionary: download.isDiscretionary, session: "default", createdAt: created,
            waitingSince: created, runAt: created, attempt: 0,
            origin: GateReading(running: running[download.origin] ?? 0),
            sessionGate: GateReading(), need: Int64(download.expected ?? 0))
        candidate.originName = "https://origin-\(download.origin).example:443"
        candidate.originKey = Int64(download.origin)
        candidate.sessionKey = 1
        candidate.schedulingClass = download.isDiscretionary ? .discretionary : .normal
        candidate.deadline.complete = download.completeBy.map(ForecastClock.instant)
        // Two days at most, as the bounds have it.
        candidate.rank = 3
        return ForecastLane(
            number: Int64(download.number),
            flow: LaneFlow(app: 1, session: 1, origin: Int64(download.origin)),
            candidate: candidate,
            batches: [
                ForecastLane.Batch(
                    runAt: created, count: 1, bytes: download.expected ?? 0,
                    unsized: download.expected == nil ? 1 : 0)
            ])
    }

    private func run(_ job: Job, _ now: Timestamp) -> ForecastRun {
        let origin = Int64(job.download.origin)
        let size = job.download.expected ?? job.download.bytes
        return ForecastRun(
            flow: LaneFlow(app: 1, session: 1, origin: origin),
            schedulingClass: job.download.isDiscretionary ? .discretionary : .normal,
            bytesLeft: Int64(max(0, size - job.done)),
            rate: learned.rate(origin: origin, at: now).map { Int64($0.quantile(0.5)) })
    }
}
