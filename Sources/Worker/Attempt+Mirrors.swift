// One of several mirrors: what of an end is another mirror's chance.
internal import Core
internal import Platform
internal import Store
internal import Synchronization

extension ClaimedDownload {
    /// Whether this attempt asks the origin of the download's own URL, for which its headers and
    /// credentials are meant.
    var asksOwnOrigin: Bool {
        guard address != download.url else { return true }
        do throws(SourceURLError) {
            return try SourceURL(parsing: address)
                .hasSameOrigin(as: SourceURL(parsing: download.url))
        } catch {
            return false
        }
    }
}

extension Attempt {
    /// Whether the bytes that are here came from other mirrors, and nothing is known of this one.
    func isForeign(_ point: ResumePoint) -> Bool {
        state.withLock { $0.mirrors?.isForeign(point) } ?? false
    }

    /// Why this mirror is passed over for the sake of the bytes that are here, or nil.
    func otherContent(_ plan: ResumePlan, _ facts: ResponseFacts) -> DownloadFailure? {
        guard case .from(let point) = plan else { return nil }
        return state.withLock { $0.mirrors?.otherContent(than: point, facts) }
    }

    /// The origins of all mirrors in their order, nil for what is no URL; empty with one URL.
    var origins: [String?] {
        guard claim.mirrors != nil else { return [] }
        return claim.download.addresses.map { text in
            do throws(SourceURLError) {
                return try SourceURL(parsing: text).origin
            } catch {
                // The attempt that asks it says so.
                return nil
            }
        }
    }

    /// Takes note of origins that are to be left alone.
    func learn(_ cooling: [String: Timestamp]) {
        let until = origins.map { $0.flatMap { cooling[$0] } }
        state.withLock { $0.mirrors?.learn(until, now: tools.clock.now) }
    }

    /// The record of a failure at one of several mirrors.
    ///
    /// - Parameters:
    ///   - end: the end of the attempt.
    ///   - point: what is kept; nil for nothing.
    ///   - schedule: the deployment's retries.
    ///   - random: where jitter comes from.
    /// - Returns: the record: another mirror at once, or what follows from the round.
    func finishedAtMirror(
        _ end: AttemptEnd, kept point: ResumePoint?, schedule: RetrySchedule,
        using random: inout some RandomNumberGenerator
    ) -> FinishedRun? {
        guard var book = state.withLock({ $0.mirrors }) else { return nil }
        let old = book.current
        let origins = origins
        let neighbors = origins.indices.filter { $0 != old && origins[$0] == origins[old] }
        let turn = book.decide(end, neighbors: neighbors, schedule: schedule, using: &random)
        var attention: DownloadFailure?
        if case .attention(let failure) = turn.verdict { attention = failure }
        let kept =
            point?.offset ?? 0 > 0
            ? point?.turned(to: &book, from: old, attention: attention) : nil
        state.withLock { $0.mirrors = book }
        var run = finished(turn.verdict, end.failure, told: turn.failure, kept: kept, now: end.now)
        if turn.isSwitch { run.switchCode = end.failure.code.rawValue }
        // A turn to another mirror keeps the place that the row has in the queue.
        if case .retry(let at, _, _) = turn.verdict, at == end.now { run.runAt = nil }
        return run
    }

    /// Moves the record's row to the mirror that is next.
    func turn(_ run: inout FinishedRun) {
        guard let book = state.withLock({ $0.mirrors }) else { return }
        run.download.mirror = book.current
        run.nextOrigin = origins[book.current]
    }

    /// Says that another mirror is asked.
    func tellSwitch(_ run: FinishedRun, log: Log) {
        guard let code = run.switchCode else { return }
        log.info(
            "mirror switched",
            [
                ("download_id", .string(run.download.id.text(.download))),
                ("attempt", .integer(Int64(run.download.attempt))),
                ("from", .integer(Int64(claim.mirrors?.current ?? 0))),
                ("to", .integer(Int64(run.download.mirror ?? 0))),
                ("error", .string(code)),
            ])
    }
}
