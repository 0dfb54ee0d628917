// The lease: renewed, never guessed; lost, nothing goes on.
internal import Core
internal import Platform
internal import Store

extension DownloadWorker {
    /// Renews the lease until the worker stops; stops everything before others may take over.
    func beat() async {
        let pause = Alarm()
        var renewedAt = SystemClock.bootNanoseconds()
        while isWorking {
            // Counted from before the request: the answer may come late.
            let sentAt = SystemClock.bootNanoseconds()
            do throws(StoreError) {
                let beat = try await ledger.heartbeat(lease: settings.lease)
                renewedAt = sentAt
                clock.set(now: beat.now)
                for (id, order) in beat.orders { handle(.ordered(id, order)) }
                let strays = try await ledger.letStraysGo(
                    known: Array(runs.keys), age: settings.lease)
                if strays > 0 {
                    log.warn("claims without an answer", [("count", .integer(Int64(strays)))])
                    handle(.hinted)
                }
                await wait(settings.heartbeatInterval, with: pause)
            } catch {
                log.warn("heartbeat failed", [("error", .string(error.description))])
                let held = settings.lease - settings.margin
                let age = Duration.nanoseconds(SystemClock.bootNanoseconds() - renewedAt)
                if error.code == .leaseLost || age > held {
                    handle(.leaseLost)
                    if await registerAgain() { renewedAt = SystemClock.bootNanoseconds() }
                }
                await wait(.milliseconds(500), with: pause)
            }
        }
    }

    /// Waits, but not for long when the worker stops.
    func wait(_ duration: Duration, with pause: Alarm) async {
        var left = duration
        while isWorking, left > .zero {
            let step = min(left, .milliseconds(250))
            await pause.wait(upTo: step)
            left -= step
        }
    }

    private func registerAgain() async -> Bool {
        do throws(StoreError) {
            let (fresh, now) = try await register()
            ledger = fresh
            clock.set(now: now)
            log.warn("registered again", [("replica", .integer(fresh.replica))])
            return true
        } catch {
            return false
        }
    }

    /// Writes how far each run is, checkpoints included.
    func report() async {
        let pause = Alarm()
        while isWorking {
            await wait(settings.reportInterval, with: pause)
            let progress = await collect()
            guard !progress.isEmpty else { continue }
            do throws(StoreError) {
                let accepted = try await ledger.report(progress)
                for run in progress where !accepted.contains(run.download.id) {
                    guard let mine = runs[run.download.id],
                        mine.attempt.claim.fence == run.fence, !mine.attempt.isEnding
                    else { continue }
                    mine.attempt.stop(.abandon)
                }
            } catch {
                log.warn("progress not written", [("error", .string(error.description))])
            }
        }
    }

    private func collect() async -> [RunProgress] {
        var list: [RunProgress] = []
        let now = clock.now
        for (id, run) in runs.sorted(by: { $0.key < $1.key }) {
            let attempt = run.attempt
            let (received, total) = attempt.progress
            // What is told may lag behind what is written: a stall must not hide the last bytes.
            let isTold =
                attempt.claim.hookMask & EventType.progress.mask != 0 && received != run.told
                && now - run.toldAt >= settings.progressEventInterval
            guard received != run.reported || isTold, !attempt.isEnding else { continue }
            var point: ResumePoint?
            let unsynced = attempt.unsynced
            let isOld = now - run.checkpointAt >= .seconds(5)
            if unsynced >= 64 << 20 || (unsynced >= 1 << 20 && isOld) {
                point = await attempt.checkpoint()
                runs[id]?.checkpointAt = now
            }
            var download = attempt.claim.download
            download.bytesReceived = received
            download.bytesTotal = total
            if isTold {
                runs[id]?.toldAt = now
                runs[id]?.told = received
            }
            download.sequence = attempt.nextSequence(isTold: isTold)
            runs[id]?.reported = received
            list.append(
                RunProgress(
                    download: download, fence: attempt.claim.fence, resume: point, isTold: isTold))
        }
        return list
    }
}
