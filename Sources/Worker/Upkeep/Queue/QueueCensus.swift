// Takes the figures of the queue for metrics: by lane, never by row.
internal import Core
internal import Store

/// Counts while metrics are scraped, and rests a hundred times as long as a count takes.
struct QueueCensus: Duty {
    let name = "queue census"
    private static let pause = Duration.seconds(10)
    /// It is called by each reader of metrics, also in its pause.
    private var restsUntil = ContinuousClock.now
    /// Lanes that are judged, those with the most waiting downloads first.
    static let lanesAtMost = 2000
    /// So many are judged before others run.
    private static let lanesAtOnce = 50

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        let began = ContinuousClock.now
        guard began >= restsUntil else { return .after(restsUntil - began) }
        guard worker.queueGauge.takeWanted() else { return .untilCalled }
        let figures = try await worker.downloads.queueFigures.read()
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
        let pause = max(QueueCensus.pause, (ContinuousClock.now - began) * 100)
        restsUntil = .now + pause
        return .after(pause)
    }
}

extension DownloadWorker {
    /// All facts now, with those that are about this replica.
    fileprivate var situationOfLanes: Situation {
        facts.situation(at: clock.now, isDraining: false, disk: gauge.reading)
    }
}
