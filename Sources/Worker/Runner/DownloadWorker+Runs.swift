// Runs: begun for a claim, ended with an outcome that is recorded; and what they tell of origins.
internal import Core
internal import Platform
internal import Store

extension DownloadWorker {
    func start(_ claimed: ClaimedDownload.Box) {
        let ledger = ledger
        let attempt = AttemptRun(
            claimed, tools: tools, isSlow: enterRates(claimed.claim),
            owner: RunOwner(claimed.claim, worker: self, ledger: ledger))
        let now = clock.now
        runs[claimed.claim.download.id] = Run(
            attempt: attempt, checkpointAt: now, toldAt: now,
            told: claimed.claim.download.bytesReceived, lastAt: claimed.claim.claimedAt)
        if runs.count == 1 {
            for duty: any Duty.Type in [
                LeaseWatch.self, ProgressReport.self, RateWatch.self, DiskWatch.self,
                BudgetSettlement.self, LinkWatch.self,
            ] { bells[duty].ring() }
        }
        perform(WaitingRun(attempt: attempt, ledger: ledger))
    }

    /// Writes where a later attempt may go on, nil for nowhere.
    ///
    /// - Returns: whether it is written; false while a report is, whose point may be older.
    func remember(
        _ point: ResumePoint?, _ id: Identifier, _ fence: Int64, _ ledger: Ledger
    ) async -> Bool {
        guard !isWritingProgress else { return false }
        do throws(StoreError) {
            return try await ledger.remember(point, for: id, fence: fence)
        } catch {
            return false
        }
    }

    /// Further places for one download; none where the store does not answer.
    func widen(
        _ id: Identifier, _ fence: Int64, by extra: Int, _ ledger: Ledger
    ) async -> Int {
        guard let claim = runs[id]?.attempt.claim else { return 0 }
        do throws(StoreError) {
            return try await ledger.widen(
                by: extra, id, fence: fence,
                limits: conductor.policy.limits.of(
                    origin: claim.origin, session: claim.download.session,
                    app: claim.appName))
        } catch {
            log.warn("no further streams", [("error", .string(error.description))])
            return 0
        }
    }

    /// Reads which mirrors are under a Retry-After that other downloads of the app got.
    private func learnCooling(of attempt: AttemptRun, _ ledger: Ledger) async {
        let origins = attempt.origins.compactMap(\.self)
        guard !origins.isEmpty else { return }
        do throws(StoreError) {
            attempt.learn(try await ledger.cooling(origins, app: attempt.claim.app))
        } catch {
            // The gates hold all the same; the download only waits where it need not.
            log.warn("cooling origins not read", [("error", .string(error.description))])
        }
    }

    /// Whether a client has given it more time since it was claimed; asked where that decides.
    private func learnDeadline(of attempt: AttemptRun, _ ledger: Ledger) async {
        guard clock.now >= attempt.deadline, clock.steadyNow != nil else { return }
        do throws(StoreError) {
            let id = attempt.claim.download.id
            guard let now = try await ledger.deadline(of: id, fence: attempt.claim.fence) else {
                return
            }
            attempt.move(deadline: now)
        } catch {
            log.warn("deadline not read", [("error", .string(error.description))])
        }
    }

    /// Reads what decides on another attempt.
    @inline(never) private func learn(of attempt: AttemptRun, _ ledger: Ledger) async {
        await learnCooling(of: attempt, ledger)
        await learnDeadline(of: attempt, ledger)
    }

    /// Not a part of what waits for the attempt: what a function holds in all is held by every run.
    @inline(never) func end(
        _ attempt: AttemptRun, report: AttemptReport, ledger: Ledger
    ) async {
        let hasDestination = attempt.claim.download.shared.spec.destination != nil
        let report = hasDestination ? await placed(report, attempt, ledger) : report
        if case .failed = report { await learn(of: attempt, ledger) }
        let record = pendingRecord(attempt, report, ledger)
        if let record {
            if record.keepsNothing { await attempt.discard() }
            await recorder.record(record)
        }
        noteEnd(of: attempt, report, record)
    }

    /// A run is over: it has ended everywhere but in the counts of this worker.
    @inline(never) private func noteEnd(
        of attempt: AttemptRun, _ report: AttemptReport, _ record: PendingRecord?
    ) {
        noteEnd(of: attempt, record)
        learn(OriginReach(report, of: attempt.claimed), of: report, attempt)
        handle(
            .ended(
                attempt.claim.download.id, fence: attempt.claim.fence,
                bytes: record.map {
                    let before = attempt.claim.download.bytesReceived
                    return max(0, $0.finished.download.bytesReceived - before)
                }))
        noteEnd()
    }

    /// What is to be recorded of an end, with what it tells of the world; nil where the attempt no
    /// longer matters here.
    @inline(never) private func pendingRecord(
        _ attempt: AttemptRun, _ report: AttemptReport, _ ledger: Ledger
    ) -> PendingRecord? {
        let lastAt = runs[attempt.claim.download.id]?.lastAt ?? attempt.claim.claimedAt
        let finished = attempt.finished(
            report, schedule: settings.retries, now: max(clock.now, lastAt), using: &random)
        guard var finished else { return nil }
        finished.reach = OriginReach(report, of: attempt.claimed)
        let wasSlowed = linkSlowAt.map { $0 >= attempt.claim.claimedAt } ?? false
        learn(attempt.samples(of: finished, report, wasSlowed: wasSlowed))
        let body: CompleteBody? = if case .complete(let body) = report { body } else { nil }
        return PendingRecord(
            finished: finished, body: body, attempt: attempt, ledger: ledger,
            hasWebhook: attempt.claim.webhookMask != 0)
    }

    /// A run is over, and is recorded as far as that matters here.
    private func noteEnd(of attempt: AttemptRun, _ record: PendingRecord?) {
        let id = attempt.claim.download.id
        if runs[id]?.attempt === attempt {
            runs[id] = nil
            rates.end(id)
        }
        switch record?.finished.outcome {
        case .succeeded: bells[ContentRetention.self].ring()
        case .retry, .suspended, .attentionRequired, .yielded, .unreachable:
            bells[Deadlines.self].ring(ifAsleepAt: attempt.deadline)
        default: break
        }
    }

    /// Repeats a statement that may be carried out twice, until its answer or the lease's end.
    ///
    /// - Returns: its answer; false where there is none.
    func insist(_ statement: () async throws(StoreError) -> Bool) async -> Bool {
        while true {
            do throws(StoreError) {
                return try await statement()
            } catch {
                log.warn("statement repeated", [("error", .string(error.description))])
                guard error.code == .unavailable, isWorking, !lease.isOver else { return false }
                await Alarm().wait(upTo: .milliseconds(200))
            }
        }
    }
}

// What attempts tell of origins and of the network, and what follows for those that wait.
extension DownloadWorker {
    /// An answer of an origin begins, for which others wait.
    func reached(_ origin: Int64, _ ledger: Ledger) async {
        handle(.told(.reached, origin: origin))
        do throws(StoreError) {
            if let since = try await ledger.reached(origin) {
                log.info(
                    "origin reached again",
                    [("origin_no", .integer(origin)), ("since", .string(since.rfc3339))])
            }
        } catch {
            // The record of the attempt's end says the same.
            log.warn("origin not opened", [("error", .string(error.description))])
        }
        handle(.hinted)
    }

    /// Learns what an attempt found when it has ended.
    func learn(_ reach: OriginReach?, of report: AttemptReport, _ attempt: AttemptRun) {
        if case .failed(let failure, _, _) = report, failure.isUnreachable {
            let claim = attempt.claim
            if claim.isProbe { tally.countProbe("missed") }
            log.warn(
                "origin not reached",
                [
                    ("download_id", .string(claim.download.id.text(.download))),
                    ("origin_no", .integer(claim.originKey)),
                    ("error", .string(failure.code.rawValue)),
                ] + claim.download.shared.traceFields)
            // Asked where that may decide.
            handle(
                .told(.missed(hasRoute: NetworkRoutes.exist()), origin: claim.originKey))
            return
        }
        guard attempt.claim.announcesReach || conductor.network.isDoubtful else { return }
        if reach == .reached {
            handle(.told(.reached, origin: attempt.claim.originKey))
        } else if attempt.claim.announcesReach {
            handle(.told(.probeStopped, origin: attempt.claim.originKey))
        }
    }

    /// The network is not reached, or again, or it is tried again at another instant.
    func noteNetwork() {
        let (old, new) = (facts.network, conductor.network.outage)
        facts.take(network: new, at: clock.now)
        switch (old, new) {
        case (nil, let outage?):
            log.warn("network not reached", [("next_attempt_at", .string(outage.probeAt.rfc3339))])
        case (let outage?, nil):
            log.info("network reached again", [("since", .string(outage.since.rfc3339))])
        default: break
        }
    }
}
