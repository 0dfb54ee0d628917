// One overview for all requests of an app, at most a second old.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Scheduling
internal import Store

/// Makes overviews apart from the server's lane, one of each app at a time.
///
/// Requests that arrive while an overview is made share it. Its cost is bounded by the numbers of
/// rows that it looks at.
actor OverviewBoard {
    /// How old an overview may be, counted from the beginning of its reads.
    private static let age = Duration.seconds(1)
    /// The most apps whose last overview is kept.
    private static let appsAtMost = 1000
    /// The most waiting downloads that are grouped by their reason.
    private static let waitingAtMost = 10_000
    /// The number of groups that are judged before other work gets a turn.
    private static let groupsAtOnce = 50

    private struct Entry {
        var overview: Overview?
        var until = ContinuousClock.now
        var isMaking = false
        var waiting: [CheckedContinuation<Overview?, Never>] = []
    }

    nonisolated private let lane = QueueExecutor(label: "overview")
    private let downloads: Downloads
    private let worker: WorkerAccess
    private let now: @Sendable () -> Timestamp
    private var entries: [Int64: Entry] = [:]

    /// Creates a board over the store and the worker's facts.
    init(downloads: Downloads, worker: WorkerAccess, now: @escaping @Sendable () -> Timestamp) {
        self.downloads = downloads
        self.worker = worker
        self.now = now
    }

    /// The lane as the executor of this actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// The overview of the call's app.
    ///
    /// - Throws: what the store's failure becomes.
    func overview(_ call: Call) async throws(Problem) -> Overview {
        let app = call.app
        if entries.count >= OverviewBoard.appsAtMost, entries[app] == nil {
            entries = entries.filter { $0.value.isMaking }
        }
        while true {
            let entry = entries[app] ?? Entry()
            if let overview = entry.overview, entry.until > .now { return overview }
            guard entry.isMaking else { break }
            let shared: Overview? = await withCheckedContinuation { waiter in
                // It may be made by the time at which this closure runs.
                guard entries[app]?.isMaking ?? false else { return waiter.resume(returning: nil) }
                entries[app]?.waiting.append(waiter)
            }
            if let shared { return shared }
        }
        entries[app, default: Entry()].isMaking = true
        var made: Overview?
        defer {
            entries[app]?.isMaking = false
            for waiter in entries[app]?.waiting ?? [] { waiter.resume(returning: made) }
            entries[app]?.waiting = []
        }
        let began = ContinuousClock.now
        let overview = try await make(call)
        made = overview
        entries[app]?.overview = overview
        entries[app]?.until = began + OverviewBoard.age
        return overview
    }

    private func make(_ call: Call) async throws(Problem) -> Overview {
        let (downloads, now) = (downloads, now())
        let (figures, lanes) = try await call.stored { () throws(StoreError) in
            (
                try await downloads.overviews.figures(
                    of: call.app, failuresSince: now - .seconds(86_400)),
                try await downloads.forecastReads.waiting(
                    of: call.app, atMost: OverviewBoard.waitingAtMost)
            )
        }
        var overview = Overview(at: now, figures)
        let situation = worker.situation(now)
        overview.disk = situation.disk
        let limits = situation.policy.limits
        overview.slots =
            limits.running ?? limits.perReplica.map { $0 * (1 + situation.others.count) }
        var judged: Int64 = 0
        for (place, lane) in lanes.enumerated() {
            if place % OverviewBoard.groupsAtOnce == OverviewBoard.groupsAtOnce - 1 {
                await Task.yield()
            }
            judged += Int64(lane.count)
            overview.take(lane, Admission.blockers(lane.candidate, in: situation).first)
        }
        overview.areBlockersComplete =
            judged + figures.joined >= figures.downloads[.waiting, default: 0]
        return overview
    }
}
