// Writes the progress of runs, checkpoints included.
internal import Base
internal import Downloads
internal import Platform
internal import Scheduling
internal import Store

/// Runs while there are runs.
struct ProgressReport: Duty {
    let name = "progress"
    private var isReporting = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        guard !worker.runs.isEmpty else {
            isReporting = false
            return .untilCalled
        }
        // A run that has just begun has no progress.
        if isReporting { await worker.report() }
        isReporting = true
        return .after(worker.settings.reportInterval)
    }
}

extension DownloadWorker {
    fileprivate func report() async {
        handle(.arrived(runs.values.map { state(of: $0) }))
        var (progress, checkpoints) = await collect()
        guard !progress.isEmpty else { return }
        // Up to the statement nothing else runs on this actor: a row that has forgotten its bytes
        // must not get an older resume point for them.
        for place in progress.indices {
            let id = progress[place].download.id
            guard let checkpoint = checkpoints[id],
                runs[id]?.attempt.isCurrent(checkpoint) == true
            else { continue }
            progress[place].resume = checkpoint.point
        }
        isWritingProgress = true
        defer { isWritingProgress = false }
        do throws(StoreError) {
            let accepted = try await ledger.report(progress)
            if progress.contains(where: \.emitsEvent) { delivered() }
            for run in progress where !accepted.contains(run.download.id) {
                guard let mine = runs[run.download.id],
                    mine.attempt.claim.fence == run.fence, !mine.attempt.isEnding
                else { continue }
                mine.attempt.stop(.abandon)
            }
        } catch {
            log.warn(
                "progress of running downloads could not be stored",
                [("error", .string(error.description))])
            // The statement may not have been executed, and no more bytes may come.
            for run in progress { runs[run.download.id]?.reported = -1 }
        }
    }

    private func state(of run: Run) -> RunState {
        let claim = run.attempt.claim
        let (received, total) = run.attempt.progress
        var state = RunState(
            id: claim.download.id, fence: claim.fence,
            bytes: claim.isSending
                ? run.attempt.moved : received - claim.download.bytesReceived)
        // A run is not stopped if its bytes would be lost.
        if claim.download.schedulingClass == .discretionary, !run.attempt.isEnding,
            clock.now - claim.claimedAt >= settings.yieldsAfter,
            !RunState.endsSoon(received: received, of: total, speed: run.speed.bytesPerSecond),
            run.attempt.canContinue
        {
            state.slackUntil = claim.download.spec.completeBy ?? run.attempt.deadline
        }
        return state
    }

    private func collect() async -> ([RunProgress], [Identifier: Checkpoint]) {
        var list: [RunProgress] = []
        var checkpoints: [Identifier: Checkpoint] = [:]
        for (id, run) in runs.sorted(by: { $0.key < $1.key }) {
            let now = clock.now
            let attempt = run.attempt
            let (received, total) = attempt.progress
            let moved = attempt.moved
            // Progress events are sent less often than bytes arrive; the last bytes before a stall
            // are reported, too.
            let emitsEvent =
                attempt.claim.heardEvents.contains(.progress, of: id) && moved != run.told
                && now - run.toldAt >= settings.progressEventInterval
            var speed = run.speed
            speed.measure(moved, at: now)
            runs[id]?.speed = speed
            let isOther = moved != run.reported || speed.bytesPerSecond != run.reportedSpeed
            guard isOther || emitsEvent, !attempt.isEnding else { continue }
            let unsynced = attempt.unsynced
            let isOld = now - run.checkpointAt >= .seconds(5)
            if unsynced >= 64 << 20 || (unsynced >= 1 << 20 && isOld) {
                checkpoints[id] = await attempt.checkpoint()
                runs[id]?.checkpointAt = now
            }
            var download = attempt.claim.download
            download.bytesReceived = received
            download.bytesSent = attempt.bytesSent
            download.bytesTotal = total
            download.bytesPerSecond = speed.bytesPerSecond
            let at = max(now, run.lastAt)
            download.measuredAt = at
            runs[id]?.lastAt = at
            runs[id]?.reportedSpeed = speed.bytesPerSecond
            if emitsEvent {
                runs[id]?.toldAt = now
                runs[id]?.told = moved
            }
            download.sequence = attempt.nextSequence(emitsEvent: emitsEvent)
            runs[id]?.reported = moved
            list.append(
                RunProgress(
                    download: download, fence: attempt.claim.fence, at: at, resume: nil,
                    emitsEvent: emitsEvent))
        }
        return (list, checkpoints)
    }
}
