// Makes forecasts while a world runs, for comparison with the real begins.
import Base
import Downloads
import Scheduling

/// Lets a scheduler decide, and every few hours forecasts the waiting downloads by the service's
/// own code.
struct ForecastProbe<Base: Scheduler>: Scheduler {
    /// Minutes between two forecasts.
    private static var every: Int { 6 * 60 }
    /// The number of futures for each forecast.
    private static var seeds: Int { 25 }

    /// The minute from which there are some rates and sizes; the misses of the ranges are learned
    /// before forecasts count.
    private static var warmUp: Int { 2 * 24 * 60 }

    let name: String
    let isPreemptive: Bool
    private var base: Base
    private let policy: Policy
    private var learned = EngineLearning()
    private var contention = EngineContention()
    private var madeAt: Int?
    /// The forecasts, in the order of time.
    private(set) var made: [ForecastCase] = []
    private let keep: ([ForecastCase]) -> Void
    /// Worlds whose downloads come in other futures: the engine itself runs over these in place of
    /// the service's forecast; empty for the service's forecast.
    private let others: [World]

    /// Probes the decisions of a scheduler under a policy; `keep` gets all forecasts after each
    /// round.
    ///
    /// - Parameters:
    ///   - base: the scheduler.
    ///   - text: its policy.
    ///   - others: worlds whose downloads come in other futures; empty for the service's
    ///     forecast.
    ///   - keep: takes the forecasts.
    init(
        _ base: Base, policy text: String, others: [World] = [],
        keep: @escaping ([ForecastCase]) -> Void
    ) {
        self.others = others
        self.base = base
        name = base.name
        isPreemptive = base.isPreemptive
        self.keep = keep
        policy = EnginePolicies.read(text)
    }

    mutating func order(_ yard: Yard, at now: Int) -> [Int] {
        learned.look(yard, at: now)
        learned.watch(yard, at: now)
        if now >= Self.warmUp, now < World.minutes, now % Self.every == 0, madeAt != now {
            madeAt = now
            if others.isEmpty { forecast(yard, now) } else { rollOut(yard, now) }
        }
        return base.order(yard, at: now)
    }

    mutating func observe(total: Double, running: Int, at now: Int) {
        base.observe(total: total, running: running, at: now)
        learned.observe(total: total, running: running, at: now)
    }

    mutating func learn(_ job: Job, at now: Int) {
        base.learn(job, at: now)
        learned.learn(job, at: now)
    }

    private mutating func forecast(_ yard: Yard, _ now: Int) {
        let situation = Situation(
            now: World.instant(now), policy: policy, zone: .fixed(offset: 0),
            learned: learned.facts)
        var running: [Int: Int] = [:]
        for number in yard.running { running[yard.jobs[number].download.origin, default: 0] += 1 }
        let waiting = yard.live.filter { !yard.jobs[$0].isRunning }
        guard !waiting.isEmpty else { return }
        _ = contention.advance(yard, situation, to: now)
        let lanes = waiting.map { lane(yard.jobs[$0], running) }
        let runs = yard.running.map { run(yard.jobs[$0], situation) }
        var forecast = Forecast(
            ForecastInput(
                situation: situation, lanes: lanes, runs: runs, slots: World.slots))
        while forecast.seeds < Self.seeds, !forecast.step(10_000) {}
        guard let outlook = forecast.outlook else { return }
        for lane in lanes where yard.jobs[Int(lane.number)].began == nil {
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

    /// Runs the engine itself over other futures.
    private mutating func rollOut(_ yard: Yard, _ now: Int) {
        let situation = Situation(
            now: World.instant(now), policy: policy, zone: .fixed(offset: 0),
            learned: learned.facts)
        let waiting = yard.live.filter { yard.jobs[$0].began == nil }
        guard !waiting.isEmpty else { return }
        let limit = now + Self.horizon
        var begins: [Int: [Double]] = [:]
        for other in others {
            let (world, jobs) = yard.world.future(like: other, yard.jobs, at: now)
            let ended = Simulation.rollOut(world, jobs, yard, base, from: now, to: limit)
            for number in waiting {
                let minute = ended[number].began ?? limit
                begins[number, default: []].append(Double(minute - now) * 60)
            }
        }
        _ = contention.advance(yard, situation, to: now)
        for number in waiting {
            let opening =
                Explanation(contention.candidate(yard.jobs[number]), in: situation).until
                ?? situation.now
            made.append(
                ForecastCase(
                    number: number, madeAt: now, range: ForecastRange(begins[number] ?? []),
                    naive: Double((opening - situation.now).wholeMilliseconds) / 1000))
        }
        keep(made)
    }

    /// Minutes after which a future is not simulated.
    private static var horizon: Int { 6 * 24 * 60 }

    private func lane(_ job: Job, _ running: [Int: Int]) -> ForecastLane {
        let candidate = contention.candidate(
            job, running: running[job.download.origin] ?? 0)
        return ForecastLane(
            number: Int64(job.download.number), flow: job.head.flow, candidate: candidate,
            batches: [
                ForecastLane.Batch(
                    runAt: World.instant(job.runAt), count: 1, bytes: Double(candidate.need),
                    unsized: job.knownSize == nil ? 1 : 0)
            ])
    }

    private func run(_ job: Job, _ situation: Situation) -> ForecastRun {
        let expected = ExpectedTransfer(job.candidate(), in: situation)
        return ForecastRun(
            flow: job.head.flow,
            schedulingClass: job.download.isDiscretionary ? .discretionary : .normal,
            bytesLeft: expected.bytes,
            rate: job.attempt.minutes > 0 ? Int64(job.rate / 60) : nil)
    }
}
