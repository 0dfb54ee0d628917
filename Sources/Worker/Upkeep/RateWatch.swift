// Follows the timetables of rates, and the runs of other replicas under shared limits.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Counts at each heartbeat interval while there are runs; runs also when a timetable changes a
/// rate.
struct RateWatch: Duty {
    let name = "rates"
    private var countedAt = Timestamp.epoch
    /// The time since which each run has not been allowed a byte.
    private var stoppedSince: [Identifier: Timestamp] = [:]

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let interval = worker.settings.heartbeatInterval
        var now = worker.clock.now
        if !worker.runs.isEmpty, now - countedAt >= interval || now < countedAt {
            countedAt = now
            await worker.count()
            now = worker.clock.now
        }
        if let until = worker.rateOrder.until, until <= now { worker.applyRates() }
        releaseStopped(worker, at: now)
        if !stoppedSince.isEmpty { return .after(.seconds(1)) }
        var next = worker.rateOrder.until
        if !worker.runs.isEmpty { next = min(next ?? countedAt + interval, countedAt + interval) }
        return next.map { .until($0) } ?? .untilCalled
    }

    /// Releases downloads that have not been allowed a byte for as long as the request timeout:
    /// they wait at a durable point until their rate changes.
    private mutating func releaseStopped(_ worker: isolated DownloadWorker, at now: Timestamp) {
        let stopped = worker.rates.stopped(at: now)
        guard !stopped.isEmpty || !stoppedSince.isEmpty else { return }
        let since = stoppedSince
        stoppedSince = [:]
        for id in stopped {
            guard let run = worker.runs[id], !run.attempt.isEnding else { continue }
            let beginning = since[id] ?? now
            stoppedSince[id] = beginning
            let timeout = Duration.seconds(run.attempt.claim.download.spec.requestTimeout)
            if now - beginning >= timeout { run.attempt.stop(.release) }
        }
    }
}

extension DownloadWorker {
    /// Asks the store about the runs and changes of other replicas.
    fileprivate func count() async {
        let known = rates.known
        let changes = limitChanges
        do throws(StoreError) {
            let census = try await ledger.rateCensus(
                sessions: known.sessions, origins: known.origins, apps: known.apps,
                downloads: known.downloads)
            // A change by a client here is newer than the census.
            guard changes == limitChanges else { return }
            rates.apply(census)
            for id in known.downloads {
                runs[id]?.attempt.limit(to: census.limitsOfDownloads[id])
            }
            applyRates()
        } catch {
            log.warn(
                "bandwidth limits and the needs of other replicas could not be read",
                [("error", .string(error.description))])
        }
    }
}
