// What follows from the way an attempt ended.

/// What follows.
package enum AttemptVerdict: Equatable, Sendable {
    /// Try again at the instant; nothing else is sent to that origin before `cool`.
    case retry(at: Timestamp, cool: Timestamp?, attemptsWithoutProgress: Int)
    /// It waits until its origin is reached, which costs no attempt; until an instant where it
    /// tries by itself.
    case wait(at: Timestamp?)
    /// It is over.
    case fail(DownloadFailure)
    /// The client has to act; bytes are kept.
    case attention(DownloadFailure)

    /// Decides.
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
                "; \(attemptsWithoutProgress) \(end.counted) without progress are the limit"
            // It was repeated because it might pass by itself; now its client is asked.
            if failure.code.usual.failureClass == .attention {
                failure.failureClass = .attention
                return .attention(failure)
            }
            failure.isRetryable = false
            return .fail(failure)
        }
        let delay = schedule.delay(
            afterAttemptsWithoutProgress: max(attemptsWithoutProgress, 1), using: &random)
        let asked = end.retryAfter.map(RetrySchedule.bounded)
        let next = min(end.now + max(delay, asked ?? .zero), end.deadline)
        return .retry(
            at: next, cool: asked.map { min(end.now + $0, end.deadline) },
            attemptsWithoutProgress: attemptsWithoutProgress)
    }

    /// What follows when the disk had no room: it waits, and no attempt counts against it.
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

    /// The failure of a status without content (RFC 9110 section 15).
    ///
    /// - Parameters:
    ///   - status: any but 200 and 206.
    ///   - hasBytes: whether bytes are kept: then a source that is gone is asked about, because
    ///     another URL may go on with them.
    ///   - isExpired: whether the URL was signed and its time is over; of a 400 its text says so.
    ///   - isProxied: whether a proxy was asked, which then sent a 407.
    /// - Returns: the failure, with the status in it.
    package static func failure(
        status: Int, hasBytes: Bool = false, isExpired: Bool = false, isProxied: Bool = false
    ) -> DownloadFailure {
        let isAway = [400, 401, 403, 404, 410].contains(status)
        if isExpired, isAway {
            return DownloadFailure(
                .attention, code: .urlExpired,
                detail: "the origin answered \(status) and the URL's signature is over: give a "
                    + "fresh URL and resume",
                isRetryable: true, httpStatus: status)
        }
        if isProxied, status == 407 {
            return DownloadFailure(
                .attention, code: .proxyAuthenticationRequired,
                detail: "the proxy answered 407: give the download credentials for it and resume",
                isRetryable: true, httpStatus: status)
        }
        if hasBytes, status == 404 || status == 410 {
            return DownloadFailure(
                .attention, code: .resourceUnavailable,
                detail: "the origin answered \(status); the bytes are kept: give another URL and "
                    + "resume, or cancel",
                isRetryable: true, httpStatus: status)
        }
        return switch status {
        case 401, 403, 407:
            DownloadFailure(
                .attention, code: .userAuthenticationRequired,
                detail: "the origin answered \(status): give another URL or credentials",
                isRetryable: true, httpStatus: status)
        case 429, 503:
            DownloadFailure(
                .pushback, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: true, httpStatus: status)
        case 408, 425, 500, 502, 504:
            DownloadFailure(
                .network, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: true, httpStatus: status)
        case 404, 410:
            DownloadFailure(
                .server, code: .resourceUnavailable, detail: "the origin answered \(status)",
                isRetryable: false, httpStatus: status)
        default:
            DownloadFailure(
                .server, code: .httpStatus, detail: "the origin answered \(status)",
                isRetryable: false, httpStatus: status)
        }
    }
}
