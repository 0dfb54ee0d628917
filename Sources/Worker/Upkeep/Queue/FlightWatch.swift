// Handles the followers of downloads whose shared transfer has ended.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store

/// Runs when a download ends; takes a batch of followers at a time, so that very many do not block
/// other work.
struct FlightWatch: Duty {
    /// The most leaders of one turn.
    private static let leadersAtOnce = 16
    /// The number of turns without work between two checks of all shared transfers.
    private static let auditEvery = 64

    let name = "flights"
    let spacing = Duration.milliseconds(20)
    private var idleTurns = 0

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let flights = worker.downloads.flights
        let due = try await flights.due(
            instance: worker.tools.place.identifier, limit: FlightWatch.leadersAtOnce)
        var changed = 0
        for work in due where worker.isWorking {
            switch work {
            case .share(let file): changed += try await share(file, worker)
            case .pass(let leader):
                changed += try await settle(leader, isPassed: true, worker)
            case .release(let leader):
                changed += try await settle(leader, isPassed: false, worker)
            }
        }
        if changed > 0 || due.count == FlightWatch.leadersAtOnce {
            return .after(.milliseconds(20))
        }
        idleTurns += 1
        if idleTurns % FlightWatch.auditEvery == 0, try await flights.audit() > 0 {
            worker.log.error(
                "downloads had joined one without a transfer, and continue by themselves")
            return .after(.milliseconds(20))
        }
        // Work that another process has, or that waits for another data directory, is looked at
        // later.
        guard due.isEmpty else { return .after(.seconds(1)) }
        return OrderWatch.polls(worker) ? .after(.seconds(1)) : .untilCalled
    }

    /// Makes a follower the new leader, or lets a batch of followers continue by themselves.
    private func settle(
        _ leader: Identifier, isPassed: Bool, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Int {
        let count = try await worker.downloads.flights.settle(leader, isPassed: isPassed)
        guard count > 0 else { return 0 }
        worker.hint()
        worker.log.info(
            isPassed
                ? "shared transfer passed to another download"
                : "joined downloads continue by themselves",
            [
                ("download_id", .string(leader.text)),
                ("downloads", .integer(Int64(count))),
            ])
        return count
    }

    /// Gives a batch of followers the file of their leader: first the files, then the rows.
    private func share(
        _ file: Flights.SharedFile, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Int {
        let flights = worker.downloads.flights
        let (followers, left) = try await judge(
            try await flights.followers(of: file), file, worker)
        guard !followers.isEmpty else { return left }
        do throws(PlaceError) {
            try await worker.tools.place.share(
                ContentName(download: file.leader, fence: file.fence),
                as: followers.map { ContentName(download: $0.id, fence: $0.fence) },
                length: file.length)
        } catch {
            return try await left + unshared(file, error, worker)
        }
        let landed = try await flights.finish(
            followers, file, at: worker.clock.now, retention: worker.settings.contentRetention)
        if landed.isEmpty { return left }
        worker.tally.countShared(landed.count)
        worker.delivered()
        worker.sessionsChanged()
        worker.bells[ContentRetention.self].ring()
        worker.log.info(
            "content shared with joined downloads",
            [
                ("download_id", .string(file.leader.text)),
                ("downloads", .integer(Int64(landed.count))),
            ])
        return landed.count + left
    }

    /// Lets followers continue by themselves if the file is gone.
    ///
    /// - Returns: how many do; a full disk may have room later, so then none.
    private func unshared(
        _ file: Flights.SharedFile, _ error: PlaceError, _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> Int {
        worker.log.warn(
            "content could not be shared with joined downloads",
            [
                ("download_id", .string(file.leader.text)),
                ("error", .string(error.description)),
            ])
        guard error.code == .missing else { return 0 }
        return try await settle(file.leader, isPassed: false, worker)
    }

    /// Judges the content of a leader by the demands of each follower.
    ///
    /// - Returns: those that get it, and how many go on by themselves.
    private func judge(
        _ followers: [Flights.Follower], _ file: Flights.SharedFile,
        _ worker: isolated DownloadWorker
    ) async throws(StoreError) -> (wanting: [Flights.Follower], left: Int) {
        guard let outcome = file.outcome, let content = outcome.content else {
            return (followers, 0)
        }
        var wanting: [Flights.Follower] = []
        var others: [Flights.Follower] = []
        for follower in followers {
            if follower.refusal(of: content, answer: outcome.response) == nil {
                wanting.append(follower)
            } else {
                others.append(follower)
            }
        }
        let left = try await worker.downloads.flights.detach(others, file)
        guard left > 0 else { return (wanting, left) }
        worker.hint()
        worker.log.info(
            "joined downloads demand other content, and continue by themselves",
            [
                ("download_id", .string(file.leader.text)),
                ("downloads", .integer(Int64(left))),
            ])
        return (wanting, left)
    }
}
