// Measures the rate of all transfers of this replica, their pace, and the observed hours.
internal import Base
internal import Scheduling
internal import Store

/// Measures once a minute while there are runs, at the end of each hour if there are none.
struct LinkWatch: Duty {
    let name = "link"
    private static let pause = Duration.seconds(60)
    private static let hour: Int64 = 3_600_000_000
    /// The least age of a run whose speed is used.
    private static let young = Duration.seconds(30)
    /// The hour of the last turn, counted from the epoch.
    private var last: Int64?
    private var pace = TransferPace()
    private var detector = SlowLinkDetector()

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let now = worker.clock.now
        let hour = now.microseconds / LinkWatch.hour
        if let last, last < hour {
            let ended = Timestamp(microseconds: hour * LinkWatch.hour - 1)
            worker.learn([LearnedSample(.arrival, 1, LearnedKey.hours(of: nil, at: ended))])
        }
        last = hour
        takePace(worker, at: now)
        guard !worker.runs.isEmpty else {
            return .until(Timestamp(microseconds: (hour + 1) * LinkWatch.hour))
        }
        if let rate = LinkWatch.rate(worker) {
            worker.learn([LearnedSample(.link, rate, LearnedKey.links(at: now))])
        }
        look(worker, at: now)
        return .after(LinkWatch.pause)
    }

    /// Passes the pace of transfers on, if it has changed and no limit holds them back.
    private mutating func takePace(_ worker: isolated DownloadWorker, at now: Timestamp) {
        var learned = worker.facts.learned
        let isLimited = worker.facts.policy.0.bandwidth != Bandwidth()
        let parts = worker.runs.values.compactMap { run -> Double? in
            let claim = run.attempt.claim
            guard !isLimited, now - claim.claimedAt >= LinkWatch.young,
                let speed = run.speed.bytesPerSecond,
                let usual = learned.rate(origin: claim.originKey, at: now)
            else { return nil }
            return Double(speed) / max(1, usual.quantile(0.5))
        }
        pace.measure(parts, at: now)
        guard pace.factor != learned.pace else { return }
        learned.pace = pace.factor
        worker.takeLearned(learned)
    }

    /// Checks whether the link is slow, unless a limit of its own may be the reason.
    private mutating func look(_ worker: isolated DownloadWorker, at now: Timestamp) {
        guard worker.facts.policy.0.bandwidth == Bandwidth() else { return }
        let runs = worker.runs.values.compactMap { run in
            run.speed.bytesPerSecond.map {
                SlowLinkDetector.Run(origin: run.attempt.claim.originKey, rate: Double($0))
            }
        }
        detector.observe(runs, worker.facts.learned, at: now)
        guard detector.isSlow(at: now), !runs.isEmpty else { return }
        worker.linkSlowAt = now
        // The total that `link` has as well, from which it is subtracted.
        let total = runs.reduce(0) { $0 + $1.rate }
        worker.learn([LearnedSample(.slowLink, total, LearnedKey.links(at: now))])
    }

    /// Bytes a second of all runs; nil while slots are free, or if rates are limited.
    private static func rate(_ worker: isolated DownloadWorker) -> Double? {
        let (policy, _) = worker.facts.policy
        let slots = min(worker.settings.slots, policy.limits.perReplica ?? .max)
        guard worker.runs.count >= slots, policy.bandwidth == Bandwidth() else { return nil }
        let sum = worker.runs.values.reduce(0) { $0 + ($1.speed.bytesPerSecond ?? 0) }
        return sum > 0 ? Double(sum) : nil
    }
}
