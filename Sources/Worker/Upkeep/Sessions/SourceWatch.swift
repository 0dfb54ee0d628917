// Handles the instants of sources, and has the looks taken in that have ended.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization

/// Runs at the first instant of any source, when a source was changed and, while a look runs
/// anywhere, at the ends of downloads.
struct SourceWatch: Duty {
    private static let sourcesAtOnce = 50
    /// The most due sources that a turn handles; the next turn handles the others.
    private static let sourcesOfTurn = 400
    /// The pause before ends of looks are searched that another replica noted.
    private static let endPause = Duration.seconds(5)

    let name = "sources"
    let endsByTheClock = true
    let spacing = Duration.milliseconds(200)

    private var ends = LookEnds()

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let sources = worker.downloads.sources
        let hasMore = try await ends.take(worker)
        var (count, left) = (0, SourceWatch.sourcesOfTurn)
        if let actions = worker.lookActions.withLock({ $0 }) {
            repeat {
                let due = try await sources.due(limit: SourceWatch.sourcesAtOnce)
                count = due.taken
                left -= count
                for source in due.sources where worker.isWorking {
                    try await handle(source, by: actions, worker)
                }
            } while count == SourceWatch.sourcesAtOnce && left > 0 && worker.isWorking
        }
        worker.looks.isOpen = try await sources.haveOpenLooks()
        let next = try await sources.nextTurn()
        if hasMore { return .after(.zero) }
        guard worker.looks.isOpen else { return next.map { .until($0) } ?? .untilCalled }
        let search = worker.clock.now + SourceWatch.endPause
        return .until(min(next ?? search, search))
    }

    /// Handles the instants of one source.
    private func handle(
        _ source: SourceRecord, by actions: LookActions, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        var timetable = source.timetable
        let turn = timetable.turn(at: source.readAt, source.spec.rules, source.schedule)
        if turn.start != nil {
            let reason = try await actions.begin(source, timetable, turn)
            if let reason { SourceWatch.warn(source, reason, worker) }
        } else if try await !sources(worker).record(
            SourceStep(source, to: timetable, by: turn))
        {
            return
        }
        for skip in turn.skips {
            worker.looks.count(.skipped, because: skip.reason, skip.count)
            worker.log.info(
                "source skipped looks",
                [
                    ("source", .string(source.identifier)), ("app", .string(source.appName)),
                    ("reason", .string(skip.reason.rawValue)), ("count", .integer(skip.count)),
                    ("due_at", .string(skip.first.rfc3339)),
                ])
        }
        if !turn.skips.isEmpty { worker.delivered() }
        guard turn.stop != nil, let running = source.timetable.running else { return }
        try await actions.stop(running.download, source.app)
    }

    private func sources(_ worker: isolated DownloadWorker) -> Sources {
        worker.downloads.sources
    }

    private static func warn(
        _ source: SourceRecord, _ reason: String, _ worker: isolated DownloadWorker
    ) {
        if reason == SkipReason.quota.rawValue {
            worker.looks.count(.skipped, because: .quota)
        } else {
            worker.looks.count(.failed)
        }
        worker.log.warn(
            "look of a source could not begin",
            [
                ("source", .string(source.identifier)), ("app", .string(source.appName)),
                ("reason", .string(reason)),
            ])
        worker.delivered()
    }
}
