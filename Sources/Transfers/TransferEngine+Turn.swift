// One turn of the loop: libcurl, what it finished, and the deadlines.
internal import Glibc
internal import Platform

extension TransferEngine {
    /// Moves everything on, and answers how long the thread may sleep, in nanoseconds.
    func turn() -> Int64 {
        guard !transfers.isEmpty else { return TransferLimits.sleepMax }
        let began = SystemClock.bootNanoseconds()
        // Turns first: what goes on now is moved on by the same call.
        if began >= pacing.nextWake { goOn(pacing.advance(now: began), now: began) }
        let bytes = gauges.receivedBytes
        let isSound = loop.multi.perform()
        var hasFinished = !isSound
        while let (easy, code) = loop.multi.nextFinished() {
            finished(easy, with: code)
            hasFinished = true
        }
        if !isSound { failAll() }
        if !hasFinished { linger(after: gauges.receivedBytes - bytes) }
        let now = SystemClock.bootNanoseconds()
        if now >= nextScan { enforceDeadlines(now) }
        return min(TransferLimits.sleepMax, max(0, min(nextScan, pacing.nextWake) - now))
    }

    /// Waits a little in a crowd that trickles: each turn asks the kernel about every connection,
    /// so it is better to have fewer turns with more to do.
    private func linger(after bytes: Int64) {
        guard running >= TransferLimits.crowd,
            bytes < Int64(running) * TransferLimits.quietBytes
        else { return }
        let due = min(nextScan, pacing.nextWake) - SystemClock.bootNanoseconds()
        let pause = min(TransferLimits.lingering, due) / 1000
        if pause > 0 { usleep(UInt32(pause)) }
    }

    /// Makes sure that the transfer's deadline is seen in time.
    func watch(_ transfer: Transfer) { nextScan = min(nextScan, transfer.deadline) }

    /// After an error of the multi interface the state of every transfer is undefined.
    private func failAll() {
        for transfer in transfers.values where transfer.easy != nil {
            transfer.fail(.resourceUnavailable, detail: "curl_multi_perform failed")
            end(transfer)
        }
    }

    /// Ends what is overdue; bytes only move deadlines back, so an early look does no harm.
    private func enforceDeadlines(_ now: Int64) {
        nextScan = .max
        for transfer in transfers.values {
            if let stall = transfer.stall(now) {
                transfer.fail(stall)
                end(transfer)
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
