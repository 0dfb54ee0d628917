// The decision after a failed attempt.
package import Base

/// The next state of the download after an attempt.
package enum AttemptVerdict: Equatable, Sendable {
    /// Try again at the instant; nothing else is sent to that origin before `cool`.
    case retry(
        at: Timestamp, cool: Timestamp?, attemptsWithoutProgress: Int,
        uncountedWaits: UncountedWaits = UncountedWaits()
    )
    /// Wait until the origin is reached, which costs no attempt; until an instant where the
    /// download tries by itself.
    case wait(at: Timestamp?)
    /// The download has failed.
    case fail(DownloadFailure)
    /// The client has to act; bytes are kept.
    case attention(DownloadFailure)

    /// Decides what follows a failure.
    ///
    /// - Parameters:
    ///   - end: how the attempt ended.
    ///   - schedule: the deployment's retries.
    ///   - random: where the jitter comes from.
    /// - Returns: a retry only before the deadline and within the budget.
    package static func decide(
        _ end: FailedAttempt, schedule: RetrySchedule,
        using random: inout some RandomNumberGenerator
    ) -> AttemptVerdict {
        if let pause = pause(end, schedule, using: &random) { return pause }
        if end.failure.failureClass == .attention { return .attention(end.failure) }
        guard end.failure.isRetryable else { return .fail(end.failure) }
        guard end.now < end.deadline else { return .fail(.resourceTimeout) }
        if end.failure.isUnreachable, end.waitsForConnectivity {
            guard !end.sharesProbe else { return .wait(at: nil) }
            let pause = Int64.random(
                in: 0...Outage.longestPause.wholeMicroseconds, using: &random)
            return .wait(at: min(end.now + .microseconds(pause), end.deadline))
        }
        let attemptsWithoutProgress = end.madeProgress ? 0 : end.attemptsWithoutProgress + 1
        guard attemptsWithoutProgress < schedule.maximumAttempts else {
            var failure = end.failure
            failure.detail +=
                "; the limit of \(attemptsWithoutProgress) \(end.counted) without progress is "
                + "reached"
            // The failure was repeated because it might pass by itself; at the end of the retries
            // the client is asked.
            if failure.code.usual.failureClass == .attention {
                failure.failureClass = .attention
                return .attention(failure)
            }
            failure.isRetryable = false
            return .fail(failure)
        }
        let delay = schedule.delay(
            afterAttemptsWithoutProgress: max(attemptsWithoutProgress, 1), using: &random)
        let next = end.told?.spread(using: &random) ?? delay
        return .retry(
            at: min(end.now + next, end.deadline), cool: end.cool,
            attemptsWithoutProgress: attemptsWithoutProgress,
            uncountedWaits: end.madeProgress ? UncountedWaits() : end.uncountedWaits)
    }

    /// A wait that costs no attempt: for a time that the origin told, for content that is not there
    /// yet, or by the client's retry rule; nil where none of them applies or its bounds are
    /// reached.
    private static func pause(
        _ end: FailedAttempt, _ schedule: RetrySchedule,
        using random: inout some RandomNumberGenerator
    ) -> AttemptVerdict? {
        guard end.failure.code != .urlExpired, end.now < end.deadline else { return nil }
        var uncountedWaits = end.madeProgress ? UncountedWaits() : end.uncountedWaits
        let wait: Duration
        if let told = end.told, uncountedWaits.takes(told) {
            wait = told.spread(using: &random)
            uncountedWaits.notYet = 0
        } else if end.failure.isNotYet {
            let pause = uncountedWaits.notYet(from: schedule.base)
            wait = pause + ToldWait.extra(pause, using: &random)
        } else if let rule = end.retryRule, rule.names(end.failure.httpStatus),
            uncountedWaits.takesRefusal(by: rule, now: end.now)
        {
            let delay = schedule.delay(
                afterAttemptsWithoutProgress: Int(uncountedWaits.refusals), using: &random)
            wait = min(delay, rule.longestWait)
        } else {
            return nil
        }
        return .retry(
            at: min(end.now + wait, end.deadline), cool: end.cool,
            attemptsWithoutProgress: end.madeProgress ? 0 : end.attemptsWithoutProgress,
            uncountedWaits: uncountedWaits)
    }

    /// The verdict when the disk had no room: the download waits, and no attempt is counted.
    ///
    /// - Parameters:
    ///   - attemptsWithoutProgress: attempts without progress so far.
    ///   - schedule: the deployment's retries.
    ///   - now: the database's clock.
    ///   - deadline: when the download's time is over.
    /// - Returns: a retry, or the end of a download whose deadline has passed.
    package static func outOfRoom(
        attemptsWithoutProgress: Int, schedule: RetrySchedule, now: Timestamp, deadline: Timestamp
    ) -> AttemptVerdict {
        guard now < deadline else { return .fail(.resourceTimeout) }
        // A quota may be full where the volume is not: the origin is not asked all the time.
        let pause = min(.seconds(30), schedule.base)
        return .retry(
            at: min(now + pause, deadline), cool: nil,
            attemptsWithoutProgress: attemptsWithoutProgress)
    }
}
