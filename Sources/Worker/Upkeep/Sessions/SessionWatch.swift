// Looks at sessions in which something happened, and wakes their clients.
internal import Core
internal import Platform
internal import Store

/// Acts when downloads end and at the first instant of a wake; reads only what is due.
struct SessionWatch: Duty {
    private static let erasedAtOnce = 200

    let name = "sessions"
    let spacing = Duration.milliseconds(50)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> Rest {
        // Behind each commit: what follows may fail.
        let round = try await worker.downloads.wakes.look(worker.settings.wakes) { part in
            SessionWatch.note(part, worker)
            if part.hasEvents { worker.delivered() }
        }
        let erased = try await worker.downloads.wakes.erase(limit: SessionWatch.erasedAtOnce)
        if round.isPart || erased == SessionWatch.erasedAtOnce { return .after(.milliseconds(50)) }
        return round.next.map { .until($0) } ?? .untilCalled
    }

    private static func note(_ round: Wakes.Round, _ worker: isolated DownloadWorker) {
        for wake in round.sent {
            worker.wakes.count(wake.delivery == 1 ? .sent : .repeated)
            worker.log.debug(
                "session woken",
                [
                    ("reasons", .string(wake.reasons.names.joined(separator: ","))),
                    ("delivery", .integer(Int64(wake.delivery))),
                ])
        }
        for wake in round.abandoned {
            worker.wakes.count(.abandoned)
            worker.log.warn(
                "wake abandoned: the client has not completed it",
                [("deliveries", .integer(Int64(wake.delivery)))])
        }
        if round.finished > 0 { worker.wakes.count(.finished, round.finished) }
    }
}
