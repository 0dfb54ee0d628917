// Sums up the waiting downloads of each lane, and judges deadlines that share a bottleneck.
internal import Base
internal import Platform
internal import Scheduling
internal import Store

/// Counts every minute, or every quarter of an hour if a count takes long; one of several replicas
/// does it.
///
/// `QueueCensus` counts short queues more often while metrics are read.
struct LaneCount: Duty {
    let name = "lane count"
    private static let pauses = Duration.seconds(60)...Duration.seconds(900)
    /// The pause between counts, so that they take at most a hundredth of the time, up to the
    /// longest pause.
    private var pause = LaneCount.pauses.lowerBound
    /// The assumed size of a download of unknown size without learned sizes, in bytes.
    private static let unsizedBytes = FairShares.unknownBytes

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let loads = worker.downloads.laneLoads
        if let next = try await loads.begin(every: pause) {
            return .after(max(.seconds(1), next - worker.clock.now))
        }
        let began = ContinuousClock.now
        try await LaneCount.count(loads, worker)
        let took = ContinuousClock.now - began
        pause = min(max(took * 100, LaneCount.pauses.lowerBound), LaneCount.pauses.upperBound)
        return .after(pause)
    }

    /// Counts, and judges deadlines by the sums.
    static func count(
        _ loads: LaneLoads, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        _ = try await loads.count { worker.isWorking }
        try await judge(loads, worker)
        worker.bells[DeadlineWatch.self].ring()
    }

    private static func judge(
        _ loads: LaneLoads, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        let lanes = try await loads.due()
        guard !lanes.isEmpty else { return }
        let situation = worker.situation
        let policy = situation.policy
        var capacities: [Bottleneck: BottleneckCapacity] = [:]
        /// The capacity for a number of concurrent transfers, each at the assumed rate.
        func capacity(
            _ count: Int?, _ timetable: Timetable?, origin: Int64 = -1
        ) -> BottleneckCapacity? {
            guard count != nil || timetable != nil else { return nil }
            let running = count ?? policy.limits.running ?? worker.settings.slots
            return BottleneckCapacity(
                of: running, origin: origin, timetable: timetable, in: situation)
        }
        capacities[.deployment] = capacity(
            policy.limits.running ?? worker.settings.slots, policy.bandwidth.deployment)
        for lane in lanes {
            for bottleneck in lane.load.bottlenecks where capacities[bottleneck] == nil {
                switch bottleneck {
                case .deployment: break
                case .origin(let number):
                    capacities[bottleneck] = capacity(
                        policy.limits.origin(lane.origin),
                        lane.origin.flatMap { policy.bandwidth.origin($0) }, origin: number)
                case .session:
                    capacities[bottleneck] = capacity(
                        policy.limits.session(lane.session),
                        policy.bandwidth.session(lane.session))
                }
            }
        }
        let contention = DeadlineContention(
            lanes.map { lane in
                var load = lane.load
                let size = situation.learned.size(
                    session: lane.sessionKey, origin: lane.originKey, at: situation.now)
                load.bytes += Double(lane.unsized) * (size?.quantile(0.8) ?? unsizedBytes)
                return load
            }, margin: policy.deadlines.margin, at: worker.clock.now,
            capacity: { capacities[$0] })
        // A lane that lost its ruling has to be written, too.
        var rulings = contention.rulings
        for lane in lanes where rulings[lane.load.lane] == nil {
            rulings[lane.load.lane] = DeadlineContention.Ruling()
        }
        try await loads.rule(rulings)
        worker.handle(.hinted)
    }
}
