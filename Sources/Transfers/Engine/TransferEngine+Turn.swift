// One turn of the loop: libcurl's work, finished transfers, deadlines.
internal import Downloads
internal import Glibc
internal import Platform

extension TransferEngine {
    /// Sleeps until there is work, if it may, and does it.
    func turn(maySleep: Bool) {
        let count = multi.sockets.wait(milliseconds: maySleep ? sleepMilliseconds : 0)
        if maySleep { loop.hasWoken() }
        takeMessages()
        let began = SystemClock.bootNanoseconds()
        if began >= pacing.nextWake { goOn(pacing.advance(now: began), now: began) }
        let bytes = gauges.receivedBytes
        // Called again, because transfers that were just unpaused are due by libcurl's timer.
        actions += multi.act(on: count, now: SystemClock.bootNanoseconds())
        var hasFinished = false
        while let (easy, code) = multi.nextFinished() {
            finished(easy, with: code)
            hasFinished = true
        }
        if multi.isBroken { beginAnew() }
        endTurn()
        if !hasFinished { linger(after: gauges.receivedBytes - bytes) }
        let now = SystemClock.bootNanoseconds()
        if now >= nextScan { enforceDeadlines(now) }
    }

    /// Runs a closure when all bytes of this turn were offered to their sinks.
    ///
    /// - Parameters:
    ///   - body: must not block.
    ///   - isBehind: whether what was taken has to be worked off before more is read; believed for
    ///     100 ms a turn.
    /// - Precondition: called by a sink.
    package nonisolated func afterTurn(
        _ body: @escaping @Sendable () -> Void,
        waitingWhile isBehind: @escaping @Sendable () -> Bool
    ) {
        assumeIsolated { $0.endOfTurn.append((body, isBehind)) }
    }

    private func endTurn() {
        guard !endOfTurn.isEmpty else { return }
        let endings = endOfTurn
        endOfTurn.removeAll(keepingCapacity: true)
        for (body, _) in endings { body() }
        var waits = 0
        while waits < TransferLimits.waitsAtMost, endings.contains(where: { $0.1() }) {
            usleep(1000)
            waits += 1
        }
    }

    /// The time at which there is work without a ready socket; nanoseconds since boot.
    private var nextDue: Int64 { min(nextScan, pacing.nextWake, multi.sockets.timer) }

    /// The longest sleep at this time, in milliseconds.
    private var sleepMilliseconds: Int32 {
        let due = nextDue
        guard due < .max else { return TransferLimits.sleepMax }
        let wait = max(0, due - SystemClock.bootNanoseconds())
        // Rounded up, because a thread that wakes before a deadline would spin until it.
        return Int32(clamping: min(Int64(TransferLimits.sleepMax), (wait + 999_999) / 1_000_000))
    }

    /// Waits a little while very many bodies arrive slowly, so that there are fewer turns with more
    /// bytes; transfers that wait for a head do not count.
    private func linger(after bytes: Int64) {
        guard gauges.inBody >= TransferLimits.crowd,
            bytes < Int64(gauges.inBody) * TransferLimits.quietBytes
        else { return }
        let pause = min(TransferLimits.lingering, nextDue - SystemClock.bootNanoseconds()) / 1000
        guard pause > 0 else { return }
        pauses += 1
        usleep(UInt32(pause))
    }

    /// Makes the loop check the transfer's deadline in time.
    func watch(_ transfer: Transfer) { nextScan = min(nextScan, transfer.deadline) }

    /// Ends all running transfers after an error of the multi interface, because the state of each
    /// is undefined; later ones use another handle.
    private func beginAnew() {
        for transfer in transfers.values where transfer.easy != nil {
            transfer.fail(.engineFailed("curl_multi_socket_action"))
            end(transfer)
        }
        do throws(TransferError) {
            multi = try MultiHandle(waker: waker)
            admit()
        } catch {
            // The next turn tries again; without a handle there is nothing to wait for.
            usleep(UInt32(TransferLimits.lingering / 1000))
        }
    }

    /// Ends overdue transfers; received bytes only move deadlines back, so an early check does no
    /// harm.
    private func enforceDeadlines(_ now: Int64) {
        nextScan = .max
        for transfer in transfers.values {
            if transfer.deadline <= now { transfer.noteSending(now: now) }
            if let stall = transfer.stall(now) {
                transfer.fail(stall)
                end(transfer)
            } else if let wait = transfer.waitsUntil, wait <= now, !transfer.isLateInAll(now) {
                transfer.endWait(now: now)
                watch(transfer)
                begin(transfer)
            } else if transfer.deadline <= now {
                let isLate = transfer.isLateInAll(now)
                transfer.notePhase()
                transfer.fail(isLate ? TransferFailure(.timedOut) : transfer.silence)
                end(transfer)
            } else {
                watch(transfer)
            }
        }
    }
}
