// Cancels the live downloads of sessions that end with their clients.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Runs when a session with `ends_with_client` is due for a look, at any replica.
struct ClientWatch: Duty {
    private static let downloadsAtOnce = 100
    /// The most full rounds of one turn; further sessions wait for the next one.
    private static let roundsAtMost = 50

    let name = "clients"
    let spacing = Duration.seconds(1)
    var endsByTheClock: Bool { true }

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        var look: Clients.Look
        var rounds = 0
        repeat {
            rounds += 1
            look = try await worker.downloads.clients.look()
            for session in look.gone where worker.isWorking { try await end(session, worker) }
        } while look.isFull && rounds < ClientWatch.roundsAtMost && worker.isWorking
        if look.isFull { return .after(spacing) }
        return look.next.map { .until($0) } ?? .untilCalled
    }

    /// Cancels the live downloads of a session, but for those that are younger than its patience.
    private func end(
        _ session: Clients.Gone, _ worker: isolated DownloadWorker
    ) async throws(StoreError) {
        var filter = DownloadFilter()
        filter.isOfUploads = nil
        filter.session = session.identifier
        filter.states = Set(DownloadState.allCases.filter { !$0.isTerminal && $0 != .canceling })
        let bound = session.bound
        var last: Identifier?
        var count = 0
        repeat {
            let page = try await worker.downloads.list(
                app: session.app, filter, order: .oldestFirst, after: last,
                limit: ClientWatch.downloadsAtOnce)
            let ids = page.records.map(\.download.id)
            if !ids.isEmpty {
                let outcomes = try await worker.downloads.perform(
                    .cancel, on: ids, app: session.app, because: .clientGone,
                    where: { $0.createdAt <= bound })
                count += ClientWatch.note(outcomes, worker)
            }
            last = ids.count == ClientWatch.downloadsAtOnce ? ids.last : page.resumption
        } while last != nil && worker.isWorking
        guard count > 0 else { return }
        worker.sessionsChanged()
        worker.flightsChanged()
        worker.delivered()
        worker.announce()
        worker.log.info(
            "downloads canceled, because the client of their session is gone",
            [
                ("session", .string(session.identifier)),
                ("downloads", .integer(Int64(count))),
            ])
    }

    /// Stops the canceled downloads that run here.
    private static func note(
        _ outcomes: [ActionOutcome], _ worker: isolated DownloadWorker
    ) -> Int {
        var count = 0
        for case .done(let record, let order) in outcomes {
            count += 1
            if let order { worker.handle(.ordered(record.download.id, order)) }
        }
        return count
    }
}
