// One forecast for all requests, made anew after some time.
internal import Base
internal import HTTPWire
internal import Platform
internal import Scheduling
internal import Store

/// Makes forecasts apart from the server's lane, one at a time.
///
/// It has a lane of its own because a default actor runs on the executor that its caller's task
/// prefers (SE-0417), which for an answer is the server's loop. It pauses ten times as long as a
/// forecast took, so that forecasts take at most a tenth of one core, and lets other work run after
/// every few milliseconds.
actor ForecastRunner {
    /// The least time for which a forecast is used.
    private static let age = Duration.seconds(5)
    /// The time for reading the queue and for simulated futures; the first future is completed in
    /// any case.
    private static let budget = Duration.milliseconds(700)
    /// The number of events between two checks of the clock.
    private static let events = 2000

    nonisolated private let lane = QueueExecutor(label: "forecast")
    private let reads: ForecastReads
    private let worker: WorkerAccess
    private let now: @Sendable () -> Timestamp
    private var last: (outlook: ForecastOutlook, until: ContinuousClock.Instant)?
    /// The next hours by app, from the last forecast.
    private var hours: [Int64: [ForecastOutlook.Hour]] = [:]
    private var isMaking = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a runner with the reads of the queue and the worker's facts.
    init(reads: ForecastReads, worker: WorkerAccess, now: @escaping @Sendable () -> Timestamp) {
        self.reads = reads
        self.worker = worker
        self.now = now
    }

    /// The lane as the executor of this actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// The current forecast.
    ///
    /// - Throws: what the store's failure becomes.
    func outlook(_ call: Call) async throws(Problem) -> ForecastOutlook {
        while true {
            if let last, last.until > .now { return last.outlook }
            guard isMaking else { break }
            await withCheckedContinuation { waiter in
                // It may be made by the time at which this closure runs.
                guard isMaking else { return waiter.resume() }
                waiting.append(waiter)
            }
        }
        isMaking = true
        defer {
            isMaking = false
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
        let began = ContinuousClock.now
        let reads = reads
        let queue = try await call.stored { () throws(StoreError) in try await reads.queue() }
        let outlook = await make(
            queue, await worker.shares(), until: began + ForecastRunner.budget)
        let took = ContinuousClock.now - began
        last = (outlook, .now + max(ForecastRunner.age, took * 10))
        hours = [:]
        return outlook
    }

    /// The next hours of an app, computed once for each forecast.
    func hours(of app: Int64, in outlook: ForecastOutlook) -> [ForecastOutlook.Hour] {
        guard outlook.now == last?.outlook.now else { return outlook.hours(of: app) }
        if let known = hours[app] { return known }
        let found = outlook.hours(of: app)
        hours[app] = found
        return found
    }

    private func make(
        _ queue: (lanes: [ForecastLane], runs: [ForecastRun], isWhole: Bool),
        _ shares: FairShares, until end: ContinuousClock.Instant
    ) async -> ForecastOutlook {
        let situation = worker.situation(now())
        let limits = situation.policy.limits
        let replicas = 1 + situation.others.count
        var forecast = Forecast(
            ForecastInput(
                situation: situation, lanes: queue.lanes, runs: queue.runs,
                slots: limits.running ?? (limits.perReplica ?? 64) * replicas,
                replicas: replicas, isWhole: queue.isWhole, shares: shares))
        while !forecast.step(ForecastRunner.events) {
            if forecast.seeds > 0, ContinuousClock.now >= end { break }
            await Task.yield()
        }
        guard let outlook = forecast.outlook else {
            preconditionFailure("the first future is finished")
        }
        return outlook
    }
}
