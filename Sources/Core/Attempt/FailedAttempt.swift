/// How an attempt ended, as far as the next step depends on it.
package struct FailedAttempt: Equatable, Sendable {
    /// The failure, already classified.
    package var failure: DownloadFailure
    /// True if bytes arrived that were not here before.
    package var madeProgress: Bool
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress: Int
    /// The wait that the origin asked for, bounded.
    package var retryAfter: Duration?
    /// The database's clock.
    package var now: Timestamp
    /// When the download's time is over.
    package var deadline: Timestamp
    /// Whether the download waits for connectivity.
    package var waitsForConnectivity = false
    /// Whether it waits, with others of its origin, for the one that tries again.
    package var sharesProbe = false
    /// What the budget counts, for people.
    package var counted = "attempts"

    /// Names all of it.
    package init(
        failure: DownloadFailure, madeProgress: Bool, attemptsWithoutProgress: Int,
        retryAfter: Duration?,
        now: Timestamp, deadline: Timestamp
    ) {
        self.failure = failure
        self.madeProgress = madeProgress
        self.attemptsWithoutProgress = attemptsWithoutProgress
        self.retryAfter = retryAfter
        self.now = now
        self.deadline = deadline
    }
}
