// Rates: what the policy, sessions and downloads allow, told to the engine while transfers run.
package import Core
internal import Platform
internal import Store
internal import Transfers

extension DownloadWorker {
    /// A replica with more slots expects slow downloads.
    private static let crowd = 128
    /// There so many runs at once have large buffers, and the others small ones.
    private static let largeInCrowd = 16

    /// A session has another limit in bytes a second; nil for none.
    package nonisolated func limitSession(_ key: Int64, to limit: Int64?) {
        Task { await self.takeLimit(ofSession: key, limit) }
    }

    /// A download has another limit of its own; one that runs elsewhere is not touched.
    package nonisolated func limitDownload(_ id: Identifier, to limit: Int64?) {
        Task { await self.takeLimit(of: id, limit) }
    }

    private func takeLimit(ofSession key: Int64, _ limit: Int64?) {
        limitChanges += 1
        guard rates.unknown([key]).isEmpty else { return }
        rates.limitSession(key, to: limit)
        applyRates()
    }

    private func takeLimit(of id: Identifier, _ limit: Int64?) {
        limitChanges += 1
        runs[id]?.attempt.limit(to: limit)
    }

    /// Learns the limits of sessions that were not seen here of late; before their downloads begin.
    func learnSessions(of claimed: [ClaimedDownload]) async {
        let keys = rates.unknown(claimed.map(\.sessionKey))
        guard !keys.isEmpty else { return }
        do throws(StoreError) {
            let census = try await ledger.rateCensus(
                sessions: keys.sorted(), origins: [], downloads: [])
            for key in keys { rates.limitSession(key, to: census.limitsOfSessions[key]) }
        } catch {
            // The heartbeat asks again.
            log.warn("limits of sessions not read", [("error", .string(error.description))])
        }
    }

    /// Counts a run in.
    ///
    /// - Returns: whether it is slow, or one of many: then it is given small buffers.
    func enterRates(_ claim: ClaimedDownload) -> Bool {
        var run = RateRun(
            sessionKey: claim.sessionKey, session: claim.download.session,
            originKey: claim.originKey, host: "", port: 0)
        do throws(SourceURLError) {
            let url = try SourceURL(parsing: claim.address)
            (run.host, run.port) = (url.host, url.port)
        } catch {
            // The attempt says so.
        }
        if rates.begin(claim.download.id, run) { applyRates() }
        let scopes: [RateScope] = [
            .deployment, .session(run.sessionKey), .origin(run.originKey),
        ]
        let isCrowded =
            settings.slots > DownloadWorker.crowd && runs.count >= DownloadWorker.largeInCrowd
        return claim.download.spec.maxBytesPerSecond != nil || isCrowded
            || scopes.contains { rateOrder.limits[$0] != nil }
    }

    /// Tells the engine what holds now, if that is something else than before.
    func applyRates() {
        let order = rates.order(at: clock.now)
        defer { rateOrder = order }
        guard order.limits != rateOrder.limits else { return }
        tools.engine.replaceLimits(order.limits)
        let limit = order.limits[RateScope.deployment]
        guard limit != rateOrder.limits[.deployment] else { return }
        log.info(
            "bandwidth changed",
            [
                ("bytes_per_second", .string(limit.map { String($0) } ?? "off")),
                ("until", .string(order.until?.rfc3339 ?? "")),
            ])
    }

    /// Follows the timetables and the other replicas.
    func keepRates() async {
        let pause = Alarm()
        var countedAt = Timestamp.epoch
        while isWorking {
            let now = clock.now
            if now - countedAt >= settings.heartbeatInterval || now < countedAt {
                countedAt = now
                await count()
            }
            if let until = rateOrder.until, until <= clock.now { applyRates() }
            releaseStopped(at: clock.now)
            let next = (rateOrder.until ?? now + .seconds(1)) - clock.now
            await wait(min(.seconds(1), max(.milliseconds(1), next)), with: pause)
        }
    }

    /// Asks the store what runs elsewhere and what was changed there.
    private func count() async {
        let known = rates.known
        let changes = limitChanges
        do throws(StoreError) {
            let census = try await ledger.rateCensus(
                sessions: known.sessions, origins: known.origins, downloads: known.downloads)
            if let (policy, zone) = await policyOfVersion(census.policyVersion) {
                takePolicy(policy, zone)
            }
            // What a client changed here meanwhile is newer than what was read.
            guard changes == limitChanges else { return }
            rates.learn(census)
            for id in known.downloads {
                runs[id]?.attempt.limit(to: census.limitsOfDownloads[id])
            }
            applyRates()
        } catch {
            log.warn("rates not read", [("error", .string(error.description))])
        }
    }

    /// Lets downloads go that have not been allowed a byte for as long as an origin may be silent:
    /// they wait at a durable point, and say until when.
    private func releaseStopped(at now: Timestamp) {
        let stopped = rates.stopped(at: now)
        guard !stopped.isEmpty || !stoppedSince.isEmpty else { return }
        let since = stoppedSince
        stoppedSince = [:]
        for id in stopped {
            guard let run = runs[id], !run.attempt.isEnding else { continue }
            let beginning = since[id] ?? now
            stoppedSince[id] = beginning
            let patience = Duration.seconds(run.attempt.claim.download.spec.requestTimeout)
            if now - beginning >= patience { run.attempt.stop(.release) }
        }
    }

    /// The names of the origins of lanes, where the policy may stop some of them.
    func named(_ heads: [LaneHead]) async throws(StoreError) -> [LaneHead] {
        guard rates.canStopOrigins, !heads.isEmpty else { return heads }
        let names = try await ledger.originNames(Set(heads.map(\.originKey)).sorted())
        return heads.map { head in
            var head = head
            head.originName = names[head.originKey]
            return head
        }
    }
}
