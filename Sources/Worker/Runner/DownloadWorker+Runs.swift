// Begins runs for claims, ends them with a recorded outcome, and learns from them about origins.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

extension DownloadWorker {
    func start(_ claimed: Shared<ClaimedDownload>) {
        let ledger = ledger
        let attempt = AttemptRun(
            claimed, tools: tools, isSlow: enterRates(claimed.value),
            owner: RunOwner(claimed.value, worker: self, ledger: ledger))
        let now = clock.now
        runs[claimed.value.download.id] = Run(
            attempt: attempt, checkpointAt: now, toldAt: now,
            told: claimed.value.download.bytesReceived, lastAt: claimed.value.claimedAt)
        if runs.count == 1 {
            for duty: any Duty.Type in [
                LeaseWatch.self, ProgressReport.self, RateWatch.self, DiskWatch.self,
                BudgetSettlement.self, LinkWatch.self,
            ] { bells[duty].ring() }
        }
        perform(WaitingRun(attempt: attempt, ledger: ledger))
    }

    /// Writes a resume point, nil for none.
    ///
    /// - Returns: whether it is written; false while a report is, whose point may be older.
    func saveResumePoint(
        _ point: ResumePoint?, _ id: Identifier, _ fence: Int64, _ ledger: Ledger
    ) async -> Bool {
        guard !isWritingProgress else { return false }
        do throws(StoreError) {
            return try await ledger.saveResumePoint(point, for: id, fence: fence)
        } catch {
            return false
        }
    }

    /// Takes further places for one download; none if the store does not answer.
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
            log.warn(
                "more streams for a large file could not be reserved",
                [("error", .string(error.description))])
            return 0
        }
    }

    /// Reads which mirrors are under a Retry-After that other downloads of the app received.
    private func learnCooling(of attempt: AttemptRun, _ ledger: Ledger) async {
        let origins = attempt.origins.compactMap(\.self)
        guard !origins.isEmpty else { return }
        do throws(StoreError) {
            attempt.notePushbacks(try await ledger.pushbacks(origins, app: attempt.claim.app))
        } catch {
            // Gates are checked in any case; the download only waits where it could have avoided
            // that.
            log.warn(
                "pauses that origins asked for could not be read",
                [("error", .string(error.description))])
        }
    }

    /// Reads whether a client has given it more time since the claim; called when that decides.
    private func learnDeadline(of attempt: AttemptRun, _ ledger: Ledger) async {
        guard clock.now >= attempt.deadline, clock.steadyNow != nil else { return }
        do throws(StoreError) {
            let id = attempt.claim.download.id
            guard let now = try await ledger.deadline(of: id, fence: attempt.claim.fence) else {
                return
            }
            attempt.move(deadline: now)
        } catch {
            log.warn(
                "time limit of a running download could not be read",
                [("error", .string(error.description))])
        }
    }

    /// Reads the facts on which another attempt depends.
    @inline(never) private func learn(of attempt: AttemptRun, _ ledger: Ledger) async {
        await learnCooling(of: attempt, ledger)
        await learnDeadline(of: attempt, ledger)
    }

    /// In a function of its own: everything that the waiting function holds is held once for every
    /// run.
    @inline(never) func end(
        _ attempt: AttemptRun, report: AttemptReport, ledger: Ledger
    ) async {
        let hasDestination = attempt.claim.download.shared.value.destination != nil
        var report = hasDestination ? await placed(report, attempt, ledger) : report
        if attempt.waitsToSend { report = await attempt.settled(report) }
        if case .failed = report { await learn(of: attempt, ledger) }
        let record = pendingRecord(attempt, report, ledger)
        if let record {
            if record.keepsNothing { await attempt.discard() }
            await recorder.record(record)
        }
        noteEnd(of: attempt, report, record)
    }

    /// Ends a run, except for the counts of this worker.
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
                        + attempt.bytesSent
                }))
        noteEnd()
    }

    /// The record of an end and its measurements; nil if the attempt no longer belongs to this
    /// replica.
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
        // A file that waits to be sent, or is not kept here, is not published.
        var body: CompleteBody?
        if case .complete(let whole) = report, finished.content != nil, whole.object == nil {
            body = whole
        }
        return PendingRecord(
            finished: finished, body: body, attempt: attempt, ledger: ledger,
            hasWebhook: attempt.claim.heardEvents != .none)
    }

    /// Removes an ended run, whose record is written or not needed.
    private func noteEnd(of attempt: AttemptRun, _ record: PendingRecord?) {
        let id = attempt.claim.download.id
        if runs[id]?.attempt === attempt {
            runs[id] = nil
            rates.end(id)
        }
        switch record?.finished.outcome {
        case .succeeded: bells[ContentRetention.self].ring()
        case .retryScheduled, .suspended, .attentionRequired, .yielded, .unreachable, .givenBack,
            .unchanged:
            bells[DeadlineExpiry.self].ring(ifAsleepAt: attempt.deadline)
        default: break
        }
    }

    /// Repeats a statement that may be executed twice, until it is answered or the lease ends.
    ///
    /// - Returns: its answer; false where there is none.
    func insist(_ statement: () async throws(StoreError) -> Bool) async -> Bool {
        while true {
            do throws(StoreError) {
                return try await statement()
            } catch {
                log.warn(
                    "database statement of a running download failed",
                    [("error", .string(error.description))])
                guard error.code == .unavailable, isWorking, !lease.isOver else { return false }
                await Alarm().wait(upTo: .milliseconds(200))
            }
        }
    }
}

// Learns from attempts about the reach of origins and of the network, and tells waiting downloads.
extension DownloadWorker {
    /// Notes that an answer of an origin has begun, for which other downloads wait.
    func reached(_ origin: Int64, _ ledger: Ledger) async {
        handle(.told(.reached, origin: origin))
        do throws(StoreError) {
            if let since = try await ledger.reached(origin) {
                log.info(
                    "origin reached again",
                    [("origin_no", .integer(origin)), ("since", .string(since.rfc3339))])
            }
        } catch {
            // The record of the attempt's end opens the origin as well.
            log.warn(
                "the end of an origin's outage could not be recorded",
                [("error", .string(error.description))])
        }
        handle(.hinted)
    }

    /// Learns from the end of an attempt.
    func learn(_ reach: OriginReach?, of report: AttemptReport, _ attempt: AttemptRun) {
        if case .failed(let failure, _, _) = report, failure.isUnreachable {
            let claim = attempt.claim
            if claim.isProbe { tally.countProbe("missed") }
            log.warn(
                "origin not reached",
                [
                    ("download_id", .string(claim.download.id.text)),
                    ("origin_no", .integer(claim.originKey)),
                    ("error", .string(failure.code.rawValue)),
                ] + claim.download.shared.traceFields)
            // The routes are read only if they may decide.
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

    /// Notes that the network is not reached, is reached again, or is probed at another instant.
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
