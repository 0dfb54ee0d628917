/// How an attempt ended, as far as the next step depends on it.
package struct FailedAttempt: Equatable, Sendable {
    /// The failure, already classified.
    package var failure: DownloadFailure
    /// True if bytes arrived that were not here before.
    package var madeProgress: Bool
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress: Int
    /// The wait that the origin told; nil where it told none.
    package var told: ToldWait?
    /// Waits since the last new byte that cost no attempt, before this end.
    package var patience = Patience()
    /// The statuses that the client wants repeated apart; nil for none.
    package var retryRule: RetryRule?
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
        told: ToldWait?, now: Timestamp, deadline: Timestamp
    ) {
        self.failure = failure
        self.madeProgress = madeProgress
        self.attemptsWithoutProgress = attemptsWithoutProgress
        self.told = told
        self.now = now
        self.deadline = deadline
    }

    /// Until when the origin is not asked for others of the app; nil where it is not held.
    var cool: Timestamp? {
        guard let told, told.holdsOrigin else { return nil }
        return min(now + told.bounded, deadline)
    }
}
