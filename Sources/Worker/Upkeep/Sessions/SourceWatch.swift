// Handles the instants of sources, and takes in the looks that have ended.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization

/// Runs at the first instant of any source, when a source was changed and, while a look runs
/// anywhere, at the ends of downloads.
struct SourceWatch: Duty {
    private static let endsAtOnce = 100
    private static let sourcesAtOnce = 50
    /// The pause before ends of looks are searched that another replica noted.
    private static let endPause = Duration.seconds(5)

    let name = "sources"
    let endsByTheClock = true
    let spacing = Duration.milliseconds(200)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let sources = worker.downloads.sources
        try await takeEnds(worker)
        var count = 0
        if let actions = worker.lookActions.withLock({ $0 }) {
            repeat {
                let due = try await sources.due(limit: SourceWatch.sourcesAtOnce)
                count = due.taken
                for source in due.sources where worker.isWorking {
                    try await handle(source, by: actions, worker)
                }
            } while count == SourceWatch.sourcesAtOnce && worker.isWorking
        }
        worker.looks.isOpen = try await sources.haveOpenLooks()
        let next = try await sources.nextTurn()
        guard worker.looks.isOpen else { return next.map { .until($0) } ?? .untilCalled }
        let search = worker.clock.now + SourceWatch.endPause
        return .until(min(next ?? search, search))
    }

    /// Takes in the looks that have ended; a feed that cannot be read now holds no other back.
    private func takeEnds(_ worker: isolated DownloadWorker) async throws(StoreError) {
        let sources = sources(worker)
        let actions = worker.lookActions.withLock { $0 }
        var last: Identifier?
        while worker.isWorking {
            let ends = try await sources.ends(after: last, limit: SourceWatch.endsAtOnce)
            var closed = 0
            for end in ends where worker.isWorking {
                var reading: FeedReading?
                if end.isFeed, let ended = try await sources.ended(end.id),
                    let look = FeedLook(ended.source, ended.download)
                {
                    guard let actions else { continue }
                    reading = try await look.read(by: actions, worker)
                    if reading == nil { continue }
                }
                guard let look = try await sources.close(end.id, reading) else { continue }
                closed += 1
                SourceWatch.note(look, worker)
                if let left = look.left { try await actions?.stop(left, look.source.app) }
            }
            if closed > 0 {
                worker.delivered()
                worker.sessionsChanged()
                worker.bells[ContentRetention.self].ring()
            }
            guard ends.count == SourceWatch.endsAtOnce else { return }
            last = ends.last?.id
        }
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

    private static func note(_ closed: ClosedLook, _ worker: isolated DownloadWorker) {
        worker.looks.count(closed.outcome)
        if let items = closed.items { worker.looks.countItems(.queued, Int(items)) }
        var names: [(String, LogValue)] = [
            ("source", .string(closed.source.identifier)),
            ("app", .string(closed.source.appName)),
            ("outcome", .string(closed.outcome.name)),
        ]
        if let items = closed.items { names.append(("items", .integer(items))) }
        if let reason = closed.reason { names.append(("reason", .string(reason))) }
        if let detail = closed.detail { names.append(("detail", .string(detail))) }
        if closed.items ?? 0 > 0 {
            worker.log.info("items of a feed were queued", names)
        } else if closed.detail != nil {
            worker.log.warn("feed could not be read", names)
        } else {
            worker.log.debug("look of a source ended", names)
        }
        guard closed.needsAttention else { return }
        worker.log.warn(
            "source needs attention, and looks once a day until a look succeeds",
            names + [("failures", .integer(closed.source.timetable.failures))])
    }
}
