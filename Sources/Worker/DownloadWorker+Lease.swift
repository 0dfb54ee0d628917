// The lease: renewed by heartbeats, and over by the clock when no answer to one came.
internal import Core
internal import Platform
internal import Store

/// Until when this replica may act on what it claimed, by the boot clock.
struct LeaseClock {
    /// What is counted from the last renewal, before others may take over.
    let held: Duration
    private(set) var renewedAt: Int64
    /// Whether the time was over and everything was stopped, until the next renewal.
    var isOver = false

    init(_ settings: WorkerSettings) {
        held = settings.lease - settings.margin
        // Nothing was renewed by this process yet.
        renewedAt = SystemClock.bootNanoseconds() - held.nanoseconds
    }

    /// How long it still holds; zero or less when it is over.
    var left: Duration { held - .nanoseconds(SystemClock.bootNanoseconds() - renewedAt) }

    /// A renewal that was asked for at an instant and has been answered.
    mutating func renew(at instant: Int64) {
        renewedAt = max(renewedAt, instant)
        isOver = left <= .zero
    }
}

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}

extension DownloadWorker {
    /// Renews the lease until the worker stops.
    func beat() async {
        let pause = Alarm()
        while isWorking {
            let isRenewed = await renewLease()
            await wait(isRenewed ? settings.heartbeatInterval : .milliseconds(500), with: pause)
        }
    }

    /// Sends one heartbeat; registers again where the store says that the lease was over.
    ///
    /// - Returns: whether the lease holds from now on.
    func renewLease() async -> Bool {
        // Counted from before the request: the answer may come late.
        let sentAt = SystemClock.bootNanoseconds()
        do throws(StoreError) {
            let beat = try await ledger.heartbeat(lease: settings.lease)
            takeRenewal(at: sentAt)
            clock.set(now: beat.now)
            for (id, order) in beat.orders { handle(.ordered(id, order)) }
            return true
        } catch {
            log.warn("heartbeat failed", [("error", .string(error.description))])
            guard error.code == .leaseLost else { return false }
            handle(.leaseLost)
            return await registerAgain()
        }
    }

    /// Stops everything when the lease is over by the clock: a heartbeat may get no answer at all.
    func watchLease() async {
        while isWorking {
            let left = lease.left
            if left <= .zero, !lease.isOver {
                lease.isOver = true
                // What the row says is put in order when the store answers again.
                isClaimUncertain = true
                log.error(
                    "lease not renewed in time: all downloads of this replica stop",
                    [("running", .integer(Int64(runs.count)))])
                handle(.leaseLost)
            }
            // In parts of the margin: the timer does not count the time in which the machine slept.
            let pause = left > .zero ? min(left, settings.margin / 2) : settings.margin / 2
            await leaseAlarm.wait(upTo: pause)
        }
    }

    private func takeRenewal(at instant: Int64) {
        let wasOver = lease.isOver
        lease.renew(at: instant)
        guard wasOver, !lease.isOver else { return }
        log.warn("lease renewed after its time", [("replica", .integer(ledger.replica))])
        handle(.hinted)
    }

    /// Compares what the store says with what runs, until the worker stops; the heartbeat does not
    /// wait for it.
    func compareRuns() async {
        let pause = Alarm()
        while isWorking {
            await wait(settings.heartbeatInterval, with: pause)
            do throws(StoreError) {
                try await releaseUnknownRuns(claimedBefore: settings.lease)
            } catch {
                log.warn("claims not compared", [("error", .string(error.description))])
            }
        }
    }

    /// Releases what the store says this replica runs and this process does not know: the answer of
    /// a claim was lost, or the run was given up.
    ///
    /// - Parameter age: zero only while no claim is under way.
    /// - Throws: what the store says.
    func releaseUnknownRuns(claimedBefore age: Duration) async throws(StoreError) {
        let known = runs.filter { !$0.value.isGivenUp }.map(\.key) + Array(claims.keys)
        let count = try await ledger.letStraysGo(known: known, age: age)
        guard count > 0 else { return }
        log.warn("unknown claims released", [("count", .integer(Int64(count)))])
        handle(.hinted)
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
        let sentAt = SystemClock.bootNanoseconds()
        do throws(StoreError) {
            let (fresh, now) = try await register()
            ledger = fresh
            takeRenewal(at: sentAt)
            clock.set(now: now)
            log.warn("registered again", [("replica", .integer(fresh.replica))])
            return true
        } catch {
            log.warn("not registered", [("error", .string(error.description))])
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
                // It may be unwritten, and nothing more may come.
                for run in progress { runs[run.download.id]?.reported = -1 }
            }
        }
    }

    private func collect() async -> [RunProgress] {
        var list: [RunProgress] = []
        for (id, run) in runs.sorted(by: { $0.key < $1.key }) {
            let now = clock.now
            let attempt = run.attempt
            let (received, total) = attempt.progress
            // What is told may lag behind what is written: a stall must not hide the last bytes.
            let isTold =
                attempt.claim.hookMask & EventType.progress.mask != 0 && received != run.told
                && now - run.toldAt >= settings.progressEventInterval
            var speed = run.speed
            speed.measure(received, at: now)
            runs[id]?.speed = speed
            let isOther = received != run.reported || speed.bytesPerSecond != run.reportedSpeed
            guard isOther || isTold, !attempt.isEnding else { continue }
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
            download.bytesPerSecond = speed.bytesPerSecond
            let at = max(now, run.lastAt)
            download.measuredAt = at
            runs[id]?.lastAt = at
            runs[id]?.reportedSpeed = speed.bytesPerSecond
            if isTold {
                runs[id]?.toldAt = now
                runs[id]?.told = received
            }
            download.sequence = attempt.nextSequence(isTold: isTold)
            runs[id]?.reported = received
            list.append(
                RunProgress(
                    download: download, fence: attempt.claim.fence, at: at, resume: point,
                    isTold: isTold))
        }
        return list
    }
}
