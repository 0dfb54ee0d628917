// Makes the record of an attempt from its report.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization
internal import Transfers

extension AttemptRun {
    /// The record of a report.
    ///
    /// - Parameters:
    ///   - report: how the attempt ended.
    ///   - schedule: the deployment's retries.
    ///   - now: the database's clock.
    ///   - random: where jitter comes from.
    /// - Returns: nil when the attempt no longer matters here.
    func finished(
        _ report: AttemptReport, schedule: RetrySchedule, now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) -> RunRecord? {
        switch report {
        case .complete(let body) where waitsToSend:
            return received(body, at: now)
        case .complete(let body): return succeeded(body, at: now)
        case .unchanged(let proof): return unchanged(proof, at: now)
        case .failed(let failure, let kept, let told):
            return finished(
                failure, kept: kept, told: told, schedule: schedule, now: now,
                using: &random)
        case .outOfRoom(let kept):
            let verdict = AttemptVerdict.outOfRoom(
                attemptsWithoutProgress: claim.attemptsWithoutProgress, schedule: schedule,
                now: now, deadline: deadline)
            return finished(verdict, .noRoom, shown: .noRoom, kept: kept, now: now)
        case .stopped(.cancel, let kept):
            var run = run(.canceled, .canceled, at: now)
            // For downloads that have joined it; without any, no row needs the file.
            run.resume = kept
            run.download.state = .canceled
            run.download.keepAddress()
            run.download.completedAt = now
            run.download.bytesReceived = progress.received
            return run
        case .stopped(.suspend, let kept):
            var run = run(.suspended, .suspended, at: now)
            run.download.state = .suspended
            keep(kept, in: &run)
            noteSent(in: &run)
            return run
        case .stopped(.release, let kept), .stopped(.yield, let kept):
            let isYield = if case .stopped(.yield, _) = report { true } else { false }
            var run = run(isYield ? .yielded : .retryScheduled, .waiting, at: now)
            run.download.state = .waiting
            run.runAt = now
            keep(kept, in: &run)
            noteSent(in: &run)
            return run
        case .stopped(.abandon, _):
            return nil
        }
    }

    /// The record of a file that is published, or that only its receiver or store keeps.
    private func succeeded(_ body: CompleteBody, at now: Timestamp) -> RunRecord {
        var run = run(.succeeded, .succeeded, at: now)
        run.download.state = .succeeded
        run.download.completedAt = now
        run.download.bytesReceived = body.length
        run.download.bytesTotal = body.length
        let spec = claim.download.shared.value
        let isKept = spec.upload == nil && spec.relay?.keepsContent ?? true
        run.content =
            isKept
            ? KeptContent(
                instance: body.object?.store ?? tools.place.identifier, length: body.length,
                at: now,
                retention: claim.download.shared.value.contentRetention
                    ?? tools.settings.contentRetention) : nil
        var result = run.download.outcome.value
        result.response = response(of: body)
        result.content = DownloadContent(
            length: body.length, sha256: body.sha256,
            isLengthVerified: body.isLengthVerified,
            expected: run.download.bytesExpectedByClient, expiresAt: run.content?.expiresAt)
        result.content?.destination = body.placed
        result.content?.file = body.placedFacts
        if let object = body.object {
            result.content?.location = .store
            result.content?.objectTag = object.tag
        }
        if !isKept { result.content?.state = .released }
        result.currentURL =
            body.head?.url.description ?? claim.resume?.received?.currentURL
        result.resume = resumeSummary
        result.unchanged = nil
        run.download.result = result
        run.download.keepAddress()
        run.attemptsWithoutProgress = 0
        return run
    }

    /// Whether the file has a receiver or store to which it was not sent.
    var waitsToSend: Bool {
        claim.download.shared.value.isSentOn && !claim.isSending
    }

    /// The receiver's answer: of this attempt, or of the one before that it took the file in.
    private var answer: SentAnswer? {
        state.withLock { $0.answer } ?? claim.resume?.received?.answer
    }

    /// The record of a file that is whole and waits to be sent.
    private func received(_ body: CompleteBody, at now: Timestamp) -> RunRecord {
        var run = run(.received, .received, at: now)
        run.download.state = .waiting
        run.runAt = now
        run.attemptsWithoutProgress = 0
        var point = wholePoint(of: body)
        var file = ReceivedFile()
        file.response = body.response
        file.mark = state.withLock { $0.mark }
        file.currentURL = body.head?.url.description
        point.received = file
        keep(point, in: &run)
        run.download.result.response = body.response
        run.download.result.currentURL = file.currentURL
        run.download.result.error = nil
        return run
    }

    /// The record of a failure.
    func finished(
        _ failure: DownloadFailure, kept: ResumePoint?, told: ToldWait?,
        schedule: RetrySchedule, now: Timestamp, using random: inout some RandomNumberGenerator
    ) -> RunRecord {
        let deadline = deadline
        var machine = handle { $0 }
        let ruling = machine.rule(
            on: failure, kept: kept, told: told, schedule: schedule, now: now,
            deadline: deadline, using: &random)
        handle { [machine] in $0 = machine }
        var run = finished(
            ruling.verdict, ruling.failure, shown: ruling.shown, kept: ruling.kept, now: now)
        if ruling.isSwitch { run.switchCode = ruling.failure.code.rawValue }
        if ruling.keepsPlace { run.runAt = nil }
        return run
    }

    /// The record of a verdict.
    ///
    /// - Parameters:
    ///   - verdict: what follows.
    ///   - failure: how the attempt ended.
    ///   - shown: the failure that clients see while it waits.
    ///   - kept: where a later attempt may go on.
    ///   - now: the database's clock.
    /// - Returns: the record.
    func finished(
        _ verdict: AttemptVerdict, _ failure: DownloadFailure, shown: DownloadFailure,
        kept: ResumePoint?, now: Timestamp
    ) -> RunRecord {
        switch verdict {
        case .retry(let next, let cool, let attemptsWithoutProgress, _):
            var run = failed(failure, .retryScheduled, .retryScheduled, shown: shown, at: now)
            run.download.state = .waiting
            run.download.nextAttemptAt = next
            run.runAt = next
            run.coolOrigin = cool
            run.attemptsWithoutProgress = attemptsWithoutProgress
            keep(kept, in: &run)
            return run
        case .wait(let next):
            var run = failed(failure, .unreachable, .waiting, shown: shown, at: now)
            run.download.state = .waiting
            run.download.nextAttemptAt = next
            run.runAt = next
            keep(kept, in: &run)
            return run
        case .attention(let shown):
            var run = failed(failure, .attentionRequired, .attentionRequired, shown: shown, at: now)
            run.download.state = .attentionRequired
            keep(kept, in: &run)
            return run
        case .fail(let shown):
            var run = failed(failure, .failed, .failed, shown: shown, at: now)
            run.download.keepAddress()
            run.download.state = .failed
            run.download.completedAt = now
            run.download.bytesReceived = progress.received
            // A retry requests the rest.
            let isEphemeral = claim.download.shared.value.isEphemeral
            if let kept, kept.offset > 0, kept.void == nil, shown.leavesBytes, !isEphemeral {
                run.resume = kept
            }
            return run
        }
    }

    /// The record of an end after the store has refused the first one.
    func unrecordable(at now: Timestamp) -> RunRecord {
        var run = run(.failed, .failed, at: now)
        run.download.state = .failed
        run.download.completedAt = now
        run.download.result.error = DownloadFailure(
            .internal, code: .cannotRecord,
            detail: "the origin's answer has a value that cannot be stored",
            isRetryable: false)
        run.detail = AttemptDetail()
        return run
    }

    /// Puts the failure into the attempt's own record as well, because the download shows its last
    /// failure only.
    private func failed(
        _ failure: DownloadFailure, _ outcome: RunOutcome, _ event: EventType,
        shown: DownloadFailure, at now: Timestamp
    ) -> RunRecord {
        var run = run(outcome, event, at: now)
        run.detail.error = failure
        run.download.result.error = shown
        return run
    }

    func run(
        _ outcome: RunOutcome, _ event: EventType, at now: Timestamp
    ) -> RunRecord {
        var run = RunRecord(claim, outcome: outcome, event: event, at: now)
        run.download.sequence = sequence + 1
        run.detail = detail
        if let file = claim.resume?.received, claim.isSending {
            var result = run.download.outcome.value
            (result.response, result.currentURL) = (file.response, file.currentURL)
            result.sent = answer
            run.download.result = result
        }
        let arrived = arrived
        (run.received, run.sent) = (arrived.received, arrived.sent)
        return run
    }

    /// Notes whether a request was sent whose effect is unknown: it may have been before a stop,
    /// but not if there was an answer.
    private func noteSent(in run: inout RunRecord) {
        run.wasSent = handle { $0.wasSent }
    }

    private func keep(_ point: ResumePoint?, in run: inout RunRecord) {
        let machine = handle { $0 }
        run.resume = point ?? (machine.mirrors == nil ? nil : machine.memory)
        if let book = machine.mirrors {
            run.download.mirror = book.current
            run.nextOrigin = machine.terms.origins[book.current]
        }
        run.download.bytesReceived = point?.offset ?? 0
        run.download.bytesTotal = point?.total
        direct(point, in: &run)
        run.download.result.resume = resumeSummary
    }

    /// Puts the download into the lane of its direction: that of its receiver, whose hook is asked
    /// before each try, while its file is here.
    private func direct(_ point: ResumePoint?, in run: inout RunRecord) {
        guard let target = run.download.shared.value.sendTarget else { return }
        run.download.holder = point?.holder
        let isSending = run.download.isSending
        guard isSending || claim.isSending else { return }
        run.nextLane = RunRecord.NextLane(of: run.download, in: tools.facets())
        guard isSending != claim.isSending else { return }
        run.nextOrigin = isSending ? target.origin : claim.download.sourceOrigin
    }

    /// The log entries of an end: one line, and a further one if another mirror is asked.
    func entries(of run: Shared<RunRecord>) -> [LogEntry] {
        var fields: [(String, LogValue)] = []
        fields.reserveCapacity(12)
        fields.append(("download_id", .string(run.value.download.id.text)))
        fields.append(("session", .string(run.value.download.session)))
        fields.append(("state", .string(run.value.download.state.rawValue)))
        fields.append(("attempt", .integer(Int64(run.value.download.attempt))))
        fields.append(("bytes", .integer(run.value.download.bytesReceived)))
        fields.append(
            ("duration_ms", .integer((run.value.at - claimed.value.claimedAt).wholeMilliseconds)))
        if claimed.value.isSending {
            fields.append(("direction", .string("send")))
            fields.append(("bytes_sent", .integer(bytesSent)))
        }
        if let mirrors = claimed.value.mirrors {
            fields.append(("mirror", .integer(Int64(mirrors.current))))
        }
        if let code = run.value.download.outcome.value.error?.code {
            fields.append(("error", .string(code.rawValue)))
        }
        if let words = state.withLock({ $0.record.words }) {
            fields.append(("transport_error", .string(words)))
        }
        if let next = run.value.download.nextAttemptAt {
            fields.append(("next_attempt_at", .string(next.rfc3339)))
        }
        claimed.value.download.shared.addTrace(to: &fields)
        let end = LogEntry(.info, "attempt ended", fields)
        guard let code = run.value.switchCode else { return [end] }
        let change = LogEntry(
            .info, "mirror switched",
            [
                ("download_id", .string(run.value.download.id.text)),
                ("attempt", .integer(Int64(run.value.download.attempt))),
                ("from", .integer(Int64(claimed.value.mirrors?.current ?? 0))),
                ("to", .integer(Int64(run.value.download.mirror ?? 0))),
                ("error", .string(code)),
            ])
        return [end, change]
    }

    /// The members of the attempt's record beside its times.
    var detail: AttemptDetail {
        let (record, tally) = state.withLock { ($0.record, $0.machine.tally) }
        var detail = record.detail(tally, streams: path.mostStreams)
        detail.timeBlocked = claim.timeBlocked.stored
        if claim.isSending { detail.direction = "send" }
        return detail
    }

    /// The resource's `resume` member: nil if there were no bytes before this attempt.
    var resumeSummary: ResumeSummary? {
        handle { $0.tally }.summary(hadBytes: claim.resume?.offset ?? 0 > 0)
    }
}
