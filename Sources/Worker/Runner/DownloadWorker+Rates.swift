// Passes rate limits of the policy, sessions and downloads to the engine while transfers run.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Transfers

extension DownloadWorker {
    /// The number of slots from which on a replica expects slow downloads.
    static let crowd = 128
    /// The number of runs of such a replica that have large buffers; the others have small ones.
    private static let largeInCrowd = 16

    func takeLimit(ofSession key: Int64, _ limit: Int64?) {
        limitChanges += 1
        guard rates.unknown([key]).isEmpty else { return }
        rates.limitSession(key, to: limit)
        applyRates()
    }

    func takeLimit(of id: Identifier, _ limit: Int64?) {
        limitChanges += 1
        runs[id]?.attempt.limit(to: limit)
    }

    /// Reads the limits of sessions that were not seen lately, before their downloads begin.
    func learnSessions(of claimed: [ClaimedDownload]) async {
        let keys = rates.unknown(claimed.map(\.sessionKey))
        guard !keys.isEmpty else { return }
        do throws(StoreError) {
            let census = try await ledger.rateCensus(
                sessions: keys.sorted(), origins: [], downloads: [])
            for key in keys { rates.limitSession(key, to: census.limitsOfSessions[key]) }
        } catch {
            // The next heartbeat asks again.
            log.warn(
                "bandwidth limits of sessions could not be read",
                [("error", .string(error.description))])
        }
    }

    /// Counts a run in the rates.
    ///
    /// - Returns: whether it is slow, or one of many: then it is given small buffers.
    func enterRates(_ claim: ClaimedDownload) -> Bool {
        var run = RateRun(
            sessionKey: claim.sessionKey, session: claim.download.session,
            originKey: claim.originKey, host: "", port: 0)
        // An address that is no URL is reported by the attempt.
        if case .success(let url) = claim.source { (run.host, run.port) = (url.host, url.port) }
        (run.appKey, run.app) = (claim.app, claim.appName)
        run.schedulingClass = claim.download.schedulingClass
        if rates.begin(claim.download.id, run) { applyRates() }
        let limits = rateOrder.limits
        let isLimited = !limits.isEmpty && run.scopes.contains { limits[$0] != nil }
        let isCrowded =
            settings.slots > DownloadWorker.crowd && runs.count >= DownloadWorker.largeInCrowd
        return claim.download.shared.value.maxBytesPerSecond != nil || isCrowded
            || isLimited
    }

    /// Passes the limits to the engine if they have changed.
    func applyRates() {
        let order = rates.order(at: clock.now)
        defer { rateOrder = order }
        guard order.limits != rateOrder.limits else { return }
        tools.engine.replaceLimits(order.limits)
        tools.sender?.replaceLimits(order.limits)
        tools.stores.engine?.replaceLimits(order.limits)
        let limit = order.limits[RateScope.deployment]
        guard limit != rateOrder.limits[.deployment] else { return }
        log.info(
            "bandwidth changed",
            [
                ("bytes_per_second", .string(limit.map { String($0) } ?? "off")),
                ("until", .string(order.until?.rfc3339 ?? "")),
            ])
    }
}
