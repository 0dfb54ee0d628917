// Scores forecasts: some downloads are forecast each hour, and the results are compared with
// reality.
internal import Base
internal import Platform
internal import Scheduling
internal import Store

/// Every few minutes compares forecasts with real begins; once an hour, at whichever replica comes
/// first, forecasts some of the waiting downloads.
struct ForecastScoring: Duty {
    let name = "forecast scores"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let samples = worker.downloads.forecastSamples
        if try await samples.score() > 0 || worker.facts.calibration == ForecastCalibration() {
            var calibration = ForecastCalibration()
            for score in try await samples.scores() {
                calibration.score(score.range, came: score.came, naive: score.naive)
            }
            worker.facts.take(calibration)
        }
        let waiting = try await samples.choose()
        guard !waiting.isEmpty else { return .after(worker.settings.ageInterval) }
        let queue = try await worker.downloads.forecastReads.queue()
        let (policy, zone) = worker.facts.policy
        let situation = Situation(
            now: worker.clock.now, policy: policy, zone: zone,
            conditions: worker.facts.conditions, learned: worker.facts.learned)
        let replicas = worker.peers.count + 1
        let made = await ForecastScoring.forecast(
            waiting,
            ForecastInput(
                situation: situation, lanes: queue.lanes, runs: queue.runs,
                slots: policy.limits.running
                    ?? (policy.limits.perReplica ?? worker.settings.slots) * replicas,
                replicas: replicas, isWhole: queue.isWhole, shares: worker.conductor.shares))
        try await samples.keep(made, at: situation.now)
        return .after(worker.settings.ageInterval)
    }

    /// Runs on the pool, not on the worker.
    @concurrent private static func forecast(
        _ waiting: [ForecastSamples.Waiting], _ input: ForecastInput
    ) async -> [ForecastSamples.Sample] {
        var forecast = Forecast(input)
        let end = SystemClock.bootNanoseconds() + 700_000_000
        while !forecast.step(2000) {
            if forecast.seeds > 0, SystemClock.bootNanoseconds() > end { break }
            await Task.yield()
        }
        guard let outlook = forecast.outlook else { return [] }
        let candidates = Dictionary(
            input.lanes.map { ($0.number, $0.candidate) }, uniquingKeysWith: { first, _ in first })
        return waiting.compactMap { download in
            guard var candidate = candidates[download.lane] else { return nil }
            candidate.lane = download.lane
            candidate.runAt = download.runAt
            candidate.before = download.before
            guard let expected = outlook.expectation(of: candidate) else { return nil }
            let opening = Explanation(candidate, in: input.situation).until
            return ForecastSamples.Sample(
                id: download.id, range: expected.begin,
                naive: opening.map {
                    Double(($0 - input.situation.now).wholeMicroseconds) / 1e6
                })
        }
    }
}
