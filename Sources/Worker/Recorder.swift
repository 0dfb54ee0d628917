// The end of attempts: publishes complete bodies, then records; ends that come meanwhile share the
// next publication and the next commit.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store

/// The end of an attempt that waits to be recorded.
///
/// A class, because it is large and passed on several times.
final class PendingRecord: Sendable {
    let run: Shared<RunRecord>
    let body: CompleteBody?
    let attempt: AttemptRun
    let ledger: Ledger
    let hasWebhook: Bool
    /// Whether the store refused a value of the first record.
    let isRefused: Bool

    init(
        finished: RunRecord, body: CompleteBody?, attempt: AttemptRun, ledger: Ledger,
        hasWebhook: Bool, isRefused: Bool = false
    ) {
        run = Shared(finished)
        self.body = body
        self.attempt = attempt
        self.ledger = ledger
        self.hasWebhook = hasWebhook
        self.isRefused = isRefused
    }

    /// The end of the attempt.
    var finished: RunRecord { run.value }

    /// Whether the bytes of the attempt are of no use to a later one.
    var keepsNothing: Bool {
        let point = run.value.resume
        return body == nil && !discardsFile && point?.offset ?? 0 == 0 && point?.whole == nil
    }

    /// Whether the file is removed once the end is recorded, because its receiver has it.
    var discardsFile: Bool { body == nil && run.value.outcome == .succeeded }

    /// The end with another record in place of a refused one.
    fileprivate func replaced(
        by finished: RunRecord, body: CompleteBody?, isRefused: Bool
    ) -> PendingRecord {
        PendingRecord(
            finished: finished, body: body, attempt: attempt, ledger: ledger,
            hasWebhook: hasWebhook, isRefused: isRefused)
    }
}

/// Publishes and records ends, in batches.
actor Recorder {
    private struct Entry {
        var end: PendingRecord
        let done: CheckedContinuation<Void, Never>
        /// The number of calls in a row that the place has not answered.
        var unanswered = 0
    }

    private static let batchAtMost = 256

    /// The executor on which runs wait for their records, so that these need no change of thread.
    private let executor: any TaskExecutor
    private let place: any ContentPlace
    /// The lane of the log, because a slow reader of a pipe must not delay transfers.
    private let logLane = FileLane(label: "log")
    private let settings: WorkerSettings
    private let clock: DatabaseClock
    private let log: Log
    private let tally: AttemptTally
    private let delivered: @Sendable () -> Void
    /// Called when downloads have ended, or wait for their clients.
    private let sessionsChanged: @Sendable () -> Void
    /// Called when a download has ended that others may have joined.
    private let flightsChanged: @Sendable () -> Void
    /// Called when a download has joined an ended one, whose file may be on any replica.
    private let joined: @Sendable () -> Void
    /// Ends whose files have to be published; below, ends to be committed.
    private var pending: [Entry] = []
    private var published: [Entry] = []
    private let tasks = TaskOwner()
    private var isPublishing = false
    private var isCommitting = false
    private var random = SystemRandomNumberGenerator()

    init(
        executor: any TaskExecutor, place: any ContentPlace, settings: WorkerSettings,
        clock: DatabaseClock, log: Log, tally: AttemptTally = AttemptTally(),
        delivered: @escaping @Sendable () -> Void,
        sessionsChanged: @escaping @Sendable () -> Void = {},
        flightsChanged: @escaping @Sendable () -> Void = {},
        joined: @escaping @Sendable () -> Void = {}
    ) {
        self.executor = executor
        self.tally = tally
        self.place = place
        self.settings = settings
        self.clock = clock
        self.log = log
        self.delivered = delivered
        self.sessionsChanged = sessionsChanged
        self.flightsChanged = flightsChanged
        self.joined = joined
    }

    /// Returns when the end is recorded, or was given up.
    func record(_ end: PendingRecord) async {
        await withCheckedContinuation { done in
            pending.append(Entry(end: end, done: done))
            guard !isPublishing else { return }
            isPublishing = true
            tasks.start(on: self, preferring: executor) { await $0.publishPending() }
        }
    }

    /// Returns when nothing is being published or recorded.
    nonisolated func finish() async { await tasks.finish() }

    /// Publishes the waiting ends: the disk syncs the next files while the database records the
    /// last ones.
    private func publishPending() async {
        while !pending.isEmpty {
            let batch = Array(pending.prefix(Recorder.batchAtMost))
            pending.removeFirst(batch.count)
            let (settled, unsettled) = await publish(batch)
            if !unsettled.isEmpty {
                tasks.start(on: self, preferring: executor) { await $0.publishLater(unsettled) }
            }
            published += settled
            guard !settled.isEmpty, !isCommitting else { continue }
            isCommitting = true
            tasks.start(on: self, preferring: executor) { await $0.commitPublished() }
        }
        isPublishing = false
    }

    private func commitPublished() async {
        while !published.isEmpty {
            let batch = Array(published.prefix(Recorder.batchAtMost))
            published.removeFirst(batch.count)
            await commit(batch.map(\.end))
            for entry in batch { entry.done.resume() }
        }
        isCommitting = false
    }

    /// Asks the place again about content that it has not settled, beside other ends.
    private func publishLater(_ entries: [Entry]) async {
        await Alarm().wait(upTo: settings.publishPause)
        pending += entries
        guard !isPublishing else { return }
        isPublishing = true
        await publishPending()
    }

    /// Publishes complete bodies together; if a body cannot be published, its attempt has failed.
    ///
    /// - Returns: the ends that can be recorded, and those about which the place is asked again.
    private func publish(_ batch: [Entry]) async -> (settled: [Entry], unsettled: [Entry]) {
        let bodies = batch.compactMap { entry in
            entry.end.body.map { FinishedContent(part: $0.file, sha256: $0.sha256) }
        }
        guard !bodies.isEmpty else { return (batch, []) }
        var answers = await place.publish(bodies).makeIterator()
        var (settled, unsettled): ([Entry], [Entry]) = ([], [])
        for var entry in batch {
            let answer = entry.end.body == nil ? .published : answers.next()
            switch answer {
            case .published: break
            case .failed(let error) where entry.end.body?.isSent == true:
                report(error, of: entry.end)
                entry.end = withoutContent(entry.end)
            case .failed(let error):
                report(error, of: entry.end)
                entry.end = entry.end.replaced(
                    by: retryAfterFailure(entry.end, error), body: entry.end.body,
                    isRefused: entry.end.isRefused)
            case .underway:
                entry.unanswered = 0
                unsettled.append(entry)
                continue
            case .unanswered(let error):
                entry.unanswered += 1
                guard entry.unanswered >= settings.publishCallsAtMost else {
                    unsettled.append(entry)
                    continue
                }
                report(error, of: entry.end)
                entry.end = keptForLater(entry.end)
            case nil: preconditionFailure("a place answers for each body")
            }
            settled.append(entry)
        }
        return (settled, unsettled)
    }

    private func report(_ error: PlaceError, of end: PendingRecord) {
        log.error(
            "finished content could not be published",
            [
                ("download_id", .string(end.finished.download.id.text)),
                ("error", .string("\(error)")),
            ])
    }

    /// The end of an attempt whose place does not answer: the next attempt only has to publish the
    /// bytes, except for bytes in memory, which are fetched again.
    private func keptForLater(_ end: PendingRecord) -> PendingRecord {
        let kept = end.body.flatMap { body in
            body.file.part == nil ? nil : end.attempt.wholePoint(of: body)
        }
        let failed = end.attempt.finished(
            DownloadFailure(
                .internal, code: .cannotWriteToFile,
                detail: "the place of the content did not answer", isRetryable: true),
            kept: kept, told: nil, schedule: settings.retries,
            now: max(clock.now, end.finished.at), using: &random)
        return end.replaced(by: failed, body: nil, isRefused: end.isRefused)
    }

    /// The end of a download whose receiver has the file, which could not be kept here as well.
    private func withoutContent(_ end: PendingRecord) -> PendingRecord {
        var run = end.finished
        run.content = nil
        run.download.result.content?.state = .lost
        return end.replaced(by: run, body: nil, isRefused: end.isRefused)
    }

    private func retryAfterFailure(_ end: PendingRecord, _ error: PlaceError) -> RunRecord {
        if error.code == .full {
            let full = end.attempt.finished(
                .outOfRoom(kept: nil), schedule: settings.retries,
                now: max(clock.now, end.finished.at),
                using: &random)
            if let full { return full }
        }
        let failure = DownloadFailure(
            .internal, code: .cannotWriteToFile, detail: "the file could not be synced to the disk",
            isRetryable: true)
        return end.attempt.finished(
            failure, kept: nil, told: nil, schedule: settings.retries,
            now: max(clock.now, end.finished.at), using: &random)
    }

    /// Records the ends of each registration.
    private func commit(_ ends: [PendingRecord]) async {
        var rest = ends
        while let ledger = rest.first?.ledger {
            await commit(rest.filter { $0.ledger.replica == ledger.replica }, to: ledger)
            rest = rest.filter { $0.ledger.replica != ledger.replica }
        }
    }

    /// Records ends, and repeats until the store answers: by its fence an end whose commit had no
    /// answer is found as recorded.
    private func commit(_ batch: [PendingRecord], to ledger: Ledger) async {
        var isRepeated = false
        while true {
            do throws(StoreError) {
                var accepted = try await ledger.finish(batch.map(\.run))
                if isRepeated {
                    for end in batch where !accepted.contains(end.finished.download.id) {
                        if try await ledger.hasRecorded(
                            end.finished.download.id, fence: end.finished.fence)
                        {
                            accepted.insert(end.finished.download.id)
                        }
                    }
                }
                return await settle(batch, accepted: accepted)
            } catch {
                log.warn(
                    "outcomes of attempts could not be recorded",
                    [("error", .string(error.description))])
                guard error.code == .unavailable || error.code == .overloaded else {
                    return await commitApart(batch, to: ledger)
                }
                isRepeated = true
                await Alarm().wait(upTo: .milliseconds(500))
            }
        }
    }

    /// Records ends one by one after the database refused a value: the download with that value
    /// fails, because another attempt would have it again.
    private func commitApart(_ batch: [PendingRecord], to ledger: Ledger) async {
        if batch.count > 1 {
            let middle = batch.count / 2
            await commit(Array(batch[..<middle]), to: ledger)
            await commit(Array(batch[middle...]), to: ledger)
            return
        }
        guard let end = batch.first, !end.isRefused else {
            return await settle(batch, accepted: [])
        }
        await remove(end)
        let failed = end.attempt.unrecordable(at: max(clock.now, end.finished.at))
        await commit([end.replaced(by: failed, body: nil, isRefused: true)], to: ledger)
    }

    private func settle(_ batch: [PendingRecord], accepted: Set<Identifier>) async {
        if batch.contains(where: { $0.hasWebhook && accepted.contains($0.finished.download.id) }) {
            delivered()
        }
        if !accepted.isEmpty { sessionsChanged() }
        var entries: [LogEntry] = []
        let isShared = batch.contains { $0.finished.download.shared.value.duplicates == .join }
        if isShared { flightsChanged() }
        if batch.contains(where: { $0.finished.outcome == .unchanged }) { joined() }
        for end in batch {
            let id = end.finished.download.id
            guard accepted.contains(id) else {
                log.warn(
                    "outcome of an attempt discarded, because another attempt has the download",
                    [("download_id", .string(id.text))])
                await remove(end)
                continue
            }
            if end.discardsFile { await end.attempt.discard() }
            if log.writes(.info) { entries += end.attempt.entries(of: end.run) }
            tally.count(end.run.value.outcome)
            if end.attempt.claim.isSending { tally.countSend(end.run.value.outcome) }
            if let error = end.run.value.detail.error { tally.countFailure(error.code) }
            if let code = end.run.value.switchCode { tally.countSwitch(code) }
        }
        guard !entries.isEmpty else { return }
        await logLane.run { [log, entries] in log.write(entries) }
    }

    /// Removes the content of an end that is not recorded, published or not.
    ///
    /// Content that cannot be removed is left for the sweep.
    private func remove(_ end: PendingRecord) async {
        await end.attempt.discard()
        guard end.body != nil else { return }
        _ = await place.remove([
            ContentName(download: end.finished.download.id, fence: end.finished.fence)
        ])
    }
}
