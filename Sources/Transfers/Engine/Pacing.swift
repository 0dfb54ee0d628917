// Applies the rate limits of RateBook to handles of libcurl.
//
// A transfer that may not go on is paused (curl_easy_pause(3)), which keeps its connection and
// libcurl's buffers. CURLOPT_MAX_RECV_SPEED_LARGE would let a burst pass at the start and has no
// shared limits.
internal import Scheduling

/// The transfers with a limit, and how much each may still receive or send; engine's thread only.
final class Pacing {
    private var scheduler = RateScheduler()
    private var limited: [Int: Transfer] = [:]
    private var numbers = 0

    /// The time at which `advance` is due; nanoseconds since boot.
    var nextWake: Int64 { scheduler.nextWake }

    /// Numbers for operators.
    var figures: RateFigures {
        RateFigures(limited: scheduler.limitedCount, waiting: scheduler.waitingCount)
    }

    /// Adds a transfer if a limit applies to it; other transfers have no cost.
    func enter(_ transfer: Transfer, now: Int64) {
        guard transfer.pacing == nil else { return }
        numbers += 1
        let request = transfer.request
        guard
            scheduler.join(
                numbers, scopes: request.rateScopes, own: transfer.ownLimit, rank: request.rank,
                now: now)
        else { return }
        transfer.pacing = self
        transfer.paceNumber = numbers
        transfer.credit = 0
        limited[numbers] = transfer
    }

    /// Removes a transfer and refunds its unused bytes.
    func leave(_ transfer: Transfer) {
        guard transfer.pacing != nil else { return }
        scheduler.leave(transfer.paceNumber, unused: max(0, transfer.credit))
        limited[transfer.paceNumber] = nil
        transfer.pacing = nil
    }

    /// Asks for a turn in a callback; false if the transfer has to wait.
    func mayMove(_ transfer: Transfer, now: Int64) -> Bool {
        // The debt of the last turn is less than a turn, so the loop ends.
        while transfer.credit <= 0 {
            guard let bytes = scheduler.ask(transfer.paceNumber, now: now) else { return false }
            transfer.credit += bytes
        }
        return true
    }

    /// Grants the turns that are due, and returns transfers that may continue.
    ///
    /// - Returns: the transfers that may go on.
    func advance(now: Int64) -> [Transfer] { take(scheduler.advance(now: now), now: now) }

    /// Changes the shared limits; see `RateScheduler.replaceLimits`.
    func replaceLimits(_ limits: [RateScope: Int64], now: Int64) -> [Transfer] {
        take(scheduler.replaceLimits(limits, now: now), now: now)
    }

    /// Changes the limit of one transfer.
    func changeOwnLimit(of transfer: Transfer, now: Int64) -> [Transfer] {
        guard transfer.pacing != nil else {
            enter(transfer, now: now)
            return []
        }
        let grants = scheduler.changeOwnLimit(
            transfer.ownLimit, of: transfer.paceNumber, now: now)
        return take(grants, now: now)
    }

    private func take(_ grants: [RateScheduler.Grant], now: Int64) -> [Transfer] {
        var ready: [Transfer] = []
        for grant in grants {
            guard let transfer = limited[grant.transfer] else { continue }
            if let bytes = grant.bytes {
                transfer.credit += bytes
                guard mayMove(transfer, now: now) else { continue }
            } else {
                limited[grant.transfer] = nil
                transfer.pacing = nil
            }
            ready.append(transfer)
        }
        return ready
    }
}
