// Takes the figures of the queue for metrics: by lane, never by row.
internal import Core
internal import Store

/// Counts while metrics are scraped, and rests a hundred times as long as a count takes.
struct QueueCensus: Duty {
    let name = "queue census"
    private static let pause = Duration.seconds(10)
    /// Where no more than this are live, lanes are counted so often that figures are right within a
    /// minute.
    private static let countedOften: Int64 = 100_000
    private static let oftenAtLeast = Duration.seconds(25)
    /// It is called by each reader of metrics, also in its pause.
    private var restsUntil = ContinuousClock.now
    /// Lanes that are judged, those with the most waiting downloads first.
    static let lanesAtMost = 2000
    /// So many are judged before others run.
    private static let lanesAtOnce = 50

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
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

    /// Counts the lanes where that was done some time ago, by any replica.
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
    /// All facts now, with those that are about this replica.
    fileprivate var situationOfLanes: Situation {
        facts.situation(at: clock.now, isDraining: false, disk: gauge.reading)
    }
}
