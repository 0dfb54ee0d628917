// Limits in bytes a second, changed while transfers run.
internal import Platform
package import Scheduling

extension TransferEngine {
    /// Changes the shared limits, for running transfers too; may be called from any thread.
    ///
    /// - Parameter limits: bytes a second of every scope that has a limit; 0 stops what belongs
    ///   to it and leaves its connections open.
    package nonisolated func replaceLimits(_ limits: [RateScope: Int64]) {
        post(.limits(limits))
    }

    /// Changes a transfer's own limit; may be called from any thread, also after the transfer.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - limit: bytes a second, above 0; nil for none.
    package nonisolated func limit(_ id: TransferID, to limit: Int64?) {
        post(.limit(id, limit))
    }

    /// The number of limited transfers, and of those that wait.
    package var rateFigures: RateFigures { pacing.figures }

    func replaceNow(_ limits: [RateScope: Int64]) {
        gauges.setLimit(limits[.deployment])
        let now = SystemClock.bootNanoseconds()
        let ready = pacing.replaceLimits(limits, now: now)
        for transfer in transfers.values { pacing.enter(transfer, now: now) }
        goOn(ready, now: now)
    }

    func limitNow(_ id: TransferID, to limit: Int64?) {
        guard let transfer = transfers[id], transfer.ownLimit != limit else { return }
        let now = SystemClock.bootNanoseconds()
        transfer.ownLimit = limit
        goOn(pacing.changeOwnLimit(of: transfer, now: now), now: now)
    }

    /// Unpauses transfers whose turn has come.
    func goOn(_ ready: [Transfer], now: Int64) {
        for transfer in ready where transfer.isHeld {
            transfer.isHeld = false
            guard let easy = transfer.easy else { continue }
            transfer.lastByteAt = now
            watch(transfer)
            // A refusal by the callbacks is reported in the next turn.
            _ = easy.unpause()
        }
    }
}
