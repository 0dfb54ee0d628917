// The consequence of a failure for the download: the verdict, and the next mirror.
package import Base

extension AttemptMachine {
    /// Takes the origins under a Retry-After that other downloads received.
    ///
    /// - Parameters:
    ///   - cooling: until when, by origin.
    ///   - now: the database's clock.
    package mutating func notePushbacks(_ cooling: [String: Timestamp], now: Timestamp) {
        mirrors?.notePushbacks(terms.origins.map { $0.flatMap { cooling[$0] } }, now: now)
    }

    /// Decides what follows a failure.
    ///
    /// - Parameters:
    ///   - failure: how the attempt ended.
    ///   - point: what is kept; nil for nothing.
    ///   - told: the wait that the origin told.
    ///   - schedule: the deployment's retries.
    ///   - now: the database's clock.
    ///   - deadline: when the download's time is over.
    ///   - random: where jitter comes from.
    /// - Returns: the ruling; with several addresses ``mirrors`` has turned to the next one.
    package mutating func rule(
        on failure: DownloadFailure, kept point: ResumePoint?, told: ToldWait?,
        schedule: RetrySchedule, now: Timestamp, deadline: Timestamp,
        using random: inout some RandomNumberGenerator
    ) -> AttemptRuling {
        let failure = RepeatRules.judged(failure, isRepeatable: !wasSent, wasSent: wasSent)
        let kept = point ?? memory
        var end = FailedAttempt(
            failure: failure,
            madeProgress: isProgress(kept?.offset ?? 0, of: schedule),
            attemptsWithoutProgress: terms.attemptsWithoutProgress, told: told, now: now,
            deadline: deadline)
        // A request that may have done its work is sent again only as ``RepeatRules`` say.
        if wasSent, !RepeatRules.refusingStatuses.contains(failure.httpStatus ?? 0) {
            end.told = nil
        } else {
            end.retryRule = terms.retryRule
        }
        end.uncountedWaits = terms.resume?.uncountedWaits ?? UncountedWaits()
        end.waitsForConnectivity = terms.waitsForConnectivity
        end.sharesProbe = terms.sharesProbe
        guard let book = mirrors else {
            let verdict = AttemptVerdict.decide(end, schedule: schedule, using: &random)
            let told = failure.waiting(by: verdict)
            return remembering(
                AttemptRuling(verdict: verdict, failure: told, shown: told, kept: kept), end)
        }
        return remembering(
            ruleAtMirror(book, end, kept: kept, schedule: schedule, using: &random), end)
    }

    /// The ruling, with the waits so far added to the memory that it keeps; where the client has to
    /// act, the count begins anew.
    private func remembering(_ ruling: AttemptRuling, _ end: FailedAttempt) -> AttemptRuling {
        let uncountedWaits: UncountedWaits
        switch ruling.verdict {
        case .retry(_, _, _, let counted): uncountedWaits = counted
        case .wait: uncountedWaits = end.madeProgress ? UncountedWaits() : end.uncountedWaits
        case .attention, .fail: uncountedWaits = UncountedWaits()
        }
        guard ruling.kept != nil || !uncountedWaits.isEmpty else { return ruling }
        var ruling = ruling
        var point = ruling.kept ?? noBytes
        point.uncountedWaits = uncountedWaits
        ruling.kept = point
        return ruling
    }

    /// Whether an attempt that leaves this many bytes got further than earlier ones.
    ///
    /// Bytes that were thrown away and received again count as progress a limited number of times:
    /// an origin that breaks off each time, and does not continue, would be asked until the
    /// deadline.
    private func isProgress(_ bytes: Int64, of schedule: RetrySchedule) -> Bool {
        hasSentMore
            || bytes > terms.resume?.offset ?? 0
                && (bytes > furthest || tally.restarts < Int64(schedule.maximumAttempts))
    }

    /// Decides after a failure at one of several mirrors: another mirror at once, or the
    /// consequence of the whole round.
    private mutating func ruleAtMirror(
        _ book: MirrorBook, _ end: FailedAttempt, kept point: ResumePoint?, schedule: RetrySchedule,
        using random: inout some RandomNumberGenerator
    ) -> AttemptRuling {
        var book = book
        let old = book.current
        let origins = terms.origins
        let neighbors = origins.indices.filter { $0 != old && origins[$0] == origins[old] }
        let turn = book.decide(end, neighbors: neighbors, schedule: schedule, using: &random)
        var attention: DownloadFailure?
        if case .attention(let failure) = turn.verdict { attention = failure }
        let kept =
            point?.offset ?? 0 > 0
            ? point?.turned(to: &book, from: old, attention: attention) : nil
        mirrors = book
        var ruling = AttemptRuling(
            verdict: turn.verdict, failure: end.failure, shown: turn.failure, kept: kept ?? memory)
        ruling.isSwitch = turn.isSwitch
        // A turn to another mirror keeps the place that the row has in the queue.
        if case .retry(let at, _, _, _) = turn.verdict, at == end.now { ruling.keepsPlace = true }
        return ruling
    }
}
