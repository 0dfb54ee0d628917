// Computes the sums of the queue for metrics, by lane and not by row.
internal import Downloads
internal import Scheduling
internal import Store

/// Counts while metrics are scraped, with pauses of a hundred times the duration of a count.
struct QueueCensus: Duty {
    let name = "queue census"
    private static let pause = Duration.seconds(10)
    /// Up to this number of live downloads, lanes are counted so often that numbers are at most a
    /// minute old.
    private static let countedOften: Int64 = 100_000
    private static let oftenAtLeast = Duration.seconds(25)
    /// The end of its pause, which it keeps although each reader of metrics calls it.
    private var restsUntil = ContinuousClock.now
    /// The most judged lanes; those with the most waiting downloads come first.
    static let lanesAtMost = 2000
    /// The number of lanes that are judged before other work gets a turn.
    private static let lanesAtOnce = 50

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let began = ContinuousClock.now
        guard began >= restsUntil else { return .after(restsUntil - began) }
        guard worker.queueGauge.isWanted else { return .untilCalled }
        var figures = try await worker.downloads.queueFigures.read()
        let isShort = figures.live <= QueueCensus.countedOften
        if isShort, try await QueueCensus.count(worker) {
            figures = try await worker.downloads.queueFigures.read()
        }
        let lanes = try await worker.downloads.forecastReads.lanes(atMost: QueueCensus.lanesAtMost)
        let situation = worker.situationOfLanes
        var blocked: [BlockerCode: Int64] = [:]
        var judged: Int64 = 0
        for (place, lane) in lanes.enumerated() {
            if place % QueueCensus.lanesAtOnce == QueueCensus.lanesAtOnce - 1 { await Task.yield() }
            let count = lane.batches.reduce(Int64(0)) { $0 + Int64($1.count) }
            judged += count
            guard let first = Admission.blockers(lane.candidate, in: situation).first else {
                preconditionFailure("what waits has a reason")
            }
            blocked[first.code, default: 0] += count
        }
        worker.queueGauge.set(
            QueueGauge.Census(
                at: worker.clock.now, figures: figures, blocked: blocked,
                unjudged: max(0, figures.waitingInLanes - judged)))
        var pause = max(QueueCensus.pause, (ContinuousClock.now - began) * 100)
        if isShort { pause = min(pause, QueueCensus.oftenAtLeast) }
        restsUntil = .now + pause
        return .after(pause)
    }

    /// Counts the lanes if no replica did so lately.
    ///
    /// - Returns: whether it has.
    private static func count(_ worker: isolated DownloadWorker) async throws(StoreError) -> Bool {
        let loads = worker.downloads.laneLoads
        guard try await loads.begin(every: oftenAtLeast) == nil else { return false }
        try await LaneCount.count(loads, worker)
        return true
    }
}

extension DownloadWorker {
    /// All present facts, with those of this replica.
    fileprivate var situationOfLanes: Situation {
        facts.situation(at: clock.now, isDraining: false, disk: gauge.reading)
    }
}
