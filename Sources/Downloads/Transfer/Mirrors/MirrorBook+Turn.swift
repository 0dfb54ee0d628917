// Chooses the next mirror, and decides after all mirrors have failed.
internal import Base

extension MirrorBook {
    /// Whether another mirror may succeed.
    package static func mayHelp(_ failure: DownloadFailure) -> Bool {
        failure.failureClass != .internal && !failure.code.isAlikeAtMirrors
    }

    /// Decides what follows a failure, and turns to the next mirror.
    ///
    /// A mirror is asked once in a round. Between two rounds there is the usual wait, and the
    /// budget counts rounds without a new byte.
    ///
    /// - Parameters:
    ///   - end: how the attempt at the current mirror ended.
    ///   - neighbors: mirrors at the same origin, which its `Retry-After` is meant for as well.
    ///   - schedule: the deployment's retries.
    ///   - random: where jitter comes from.
    /// - Returns: what follows.
    package mutating func decide(
        _ end: FailedAttempt, neighbors: [Int] = [], schedule: RetrySchedule,
        using random: inout some RandomNumberGenerator
    ) -> MirrorVerdict {
        guard MirrorBook.mayHelp(end.failure), end.now < end.deadline else {
            return stay(end, schedule, &random)
        }
        if end.failure.code == .digestMismatch {
            if let again = judgeMiss(end) { return again }
        } else if isAlone, end.madeProgress, MirrorBook.hope(end.failure) == 2 {
            // The bytes that are here would be lost with a turn to another mirror.
            return stay(end, schedule, &random)
        }
        let asked = end.told?.bounded
        states[current].failure = end.told == nil ? end.failure : end.failure.repeated
        if states[current].isOut { states[current].failure?.isRetryable = false }
        states[current].isTried = true
        states[current].until = asked.map { end.now + $0 }
        if let asked, end.told?.holdsOrigin ?? false {
            var until = [Timestamp?](repeating: nil, count: states.count)
            for place in neighbors { until[place] = end.now + asked }
            notePushbacks(until, now: end.now)
        }
        hasProgress = hasProgress || end.madeProgress
        let cool = end.cool
        let next = states.indices.first { place in
            let state = states[place]
            return !state.isTried && !state.isOut && state.until ?? end.now <= end.now
        }
        guard let next else { return endRound(end, cool: cool, schedule, &random) }
        current = next
        let attemptsWithoutProgress = hasProgress ? 0 : end.attemptsWithoutProgress
        return MirrorVerdict(
            verdict: .retry(
                at: end.now, cool: cool, attemptsWithoutProgress: attemptsWithoutProgress,
                uncountedWaits: end.madeProgress ? UncountedWaits() : end.uncountedWaits),
            failure: end.failure,
            isSwitch: true)
    }

    /// The verdict without a turn to another mirror.
    private func stay(
        _ end: FailedAttempt, _ schedule: RetrySchedule, _ random: inout some RandomNumberGenerator
    ) -> MirrorVerdict {
        MirrorVerdict(
            verdict: AttemptVerdict.decide(end, schedule: schedule, using: &random),
            failure: end.failure)
    }

    /// Finds the mirrors to exclude after a whole file that differs from the one that the client
    /// expects.
    ///
    /// - Returns: the verdict, where the current mirror is asked again at once for all of it.
    private mutating func judgeMiss(_ end: FailedAttempt) -> MirrorVerdict? {
        let blamed = sources
        sources = []
        guard blamed != [current], !blamed.isEmpty else {
            // One answer brought the whole file, and it was wrong.
            states[current].misses += end.failure.isRetryable ? 1 : MirrorBook.missesAtMost
            return nil
        }
        if blamed.count == 1 {
            var state = states[blamed[0]]
            state.misses += 1
            state.failure = end.failure
            let isOut = state.isOut
            state.failure?.isRetryable = !isOut
            states[blamed[0]] = state
        } else {
            isAlone = true
        }
        var failure = end.failure
        failure.isRetryable = true
        failure.detail +=
            "; the bytes had come from several urls, so all of them are fetched again from one url"
        return MirrorVerdict(
            verdict: .retry(
                at: end.now, cool: nil, attemptsWithoutProgress: end.attemptsWithoutProgress,
                uncountedWaits: end.uncountedWaits),
            failure: failure)
    }

    private mutating func endRound(
        _ end: FailedAttempt, cool: Timestamp?, _ schedule: RetrySchedule,
        _ random: inout some RandomNumberGenerator
    ) -> MirrorVerdict {
        var round = end
        round.failure = mostHopeful
        round.madeProgress = hasProgress
        round.told = toldRound(at: end.now)
        round.counted = "rounds over all urls"
        let verdict = AttemptVerdict.decide(round, schedule: schedule, using: &random)
        guard case .retry(let at, _, let attemptsWithoutProgress, let uncountedWaits) = verdict
        else {
            _ = beginRound(at: end.now)
            return MirrorVerdict(verdict: verdict, failure: round.failure)
        }
        let next = min(beginRound(at: at), end.deadline)
        return MirrorVerdict(
            verdict: .retry(
                at: next, cool: cool, attemptsWithoutProgress: attemptsWithoutProgress,
                uncountedWaits: uncountedWaits),
            failure: round.failure.waiting(by: verdict))
    }

    /// The time until the first of the most promising mirrors may be asked, if each of them told
    /// one; nil if one of them told none.
    private func toldRound(at now: Timestamp) -> ToldWait? {
        let left = states.filter { !$0.isOut }
        let hopes = left.map { $0.failure.map(MirrorBook.hope) ?? 2 }
        guard hopes.max() == 2 else { return nil }
        let waits = zip(left, hopes).filter { $0.1 == 2 }.map(\.0.until)
        guard !waits.contains(where: { $0 == nil }), let first = waits.compactMap(\.self).min()
        else { return nil }
        return ToldWait(time: max(.zero, first - now), holdsOrigin: false)
    }

    /// Turns to the first of the most promising mirrors that may be asked at the instant, or, if
    /// none may, to the one that may be asked soonest.
    ///
    /// - Returns: when it may be asked.
    private mutating func beginRound(at instant: Timestamp) -> Timestamp {
        let left = states.indices.filter { !states[$0].isOut }
        let hopes = states.map { $0.failure.map(MirrorBook.hope) ?? 2 }
        let most = left.map { hopes[$0] }.max()
        hasProgress = false
        for place in states.indices {
            states[place].isTried = false
            guard !states[place].isOut, states[place].until ?? instant <= instant else { continue }
            states[place].failure = nil
            states[place].until = nil
        }
        let soonest = left.filter { hopes[$0] == most }.min { one, other in
            states[one].until ?? instant < states[other].until ?? instant
        }
        current = soonest ?? 0
        let opening = states[current].until ?? instant
        states[current].until = nil
        return opening
    }

    /// The failure of the round as a whole.
    private var mostHopeful: DownloadFailure {
        let failures = states.compactMap(\.failure)
        let most = failures.map(MirrorBook.hope).max() ?? 0
        let mine = states[current].failure.flatMap { MirrorBook.hope($0) == most ? $0 : nil }
        guard var best = mine ?? failures.first(where: { MirrorBook.hope($0) == most }) else {
            preconditionFailure("a round is over when every mirror has failed")
        }
        // If one mirror was reached, the round counts as a failed attempt.
        best.isUnreachable = failures.allSatisfy(\.isUnreachable)
        if states.count > 1 {
            let codes = failures.map(\.code.rawValue).joined(separator: ", ")
            best.detail += "; none of \(states.count) urls worked: \(codes)"
        }
        return best
    }

    /// The prospects of a mirror after a failure: 2 if time may help, 1 if the client may, 0 for
    /// other failures.
    private static func hope(_ failure: DownloadFailure) -> Int {
        if failure.failureClass == .attention { return 1 }
        return failure.isRetryable ? 2 : 0
    }
}

extension ResumePoint {
    /// The resume point for the next mirror.
    ///
    /// - Parameters:
    ///   - book: after the decision.
    ///   - old: the mirror of the point's validators.
    ///   - failure: the failure shown while it waits for the client.
    /// - Returns: nil where the bytes are of no use to it.
    package func turned(
        to book: inout MirrorBook, from old: Int, attention failure: DownloadFailure?
    ) -> ResumePoint? {
        book.states[old].validators = claims.validators
        var point = self
        if book.current != old {
            if book.isAlone {
                book.sources = []
                return nil
            }
            point.claims.validators = book.states[book.current].validators
            point.usesPlainRange = false
        }
        // The digest shows whether the bytes fit another mirror, or a later round.
        point.void = failure?.code == .sourceChanged ? failure?.detail : nil
        point.mirrors = book
        return point
    }

    /// The point of a download whose addresses change: mirror 0 is asked next, without knowledge
    /// about the others; nil where there were none.
    package var withoutMirrors: ResumePoint? {
        guard let book = mirrors else { return nil }
        var point = self
        point.mirrors = nil
        if book.current != 0 { point.claims.validators = book.states[0].validators }
        return point
    }
}
