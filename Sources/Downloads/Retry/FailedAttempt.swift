package import Base

/// The end of an attempt with the facts that decide about the next step.
package struct FailedAttempt: Equatable, Sendable {
    /// The failure, already classified.
    package var failure: DownloadFailure
    /// True if bytes arrived that were not here before.
    package var madeProgress: Bool
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress: Int
    /// The wait that the origin told; nil for none.
    package var told: ToldWait?
    /// The waits since the last new byte that cost no attempt, before this end.
    package var uncountedWaits = UncountedWaits()
    /// The client's rule for statuses to repeat; nil for none.
    package var retryRule: RetryRule?
    /// The database's clock.
    package var now: Timestamp
    /// The deadline of the download.
    package var deadline: Timestamp
    /// Whether the download waits for connectivity.
    package var waitsForConnectivity = false
    /// Whether it waits with others of its origin for one that probes it.
    package var sharesProbe = false
    /// The name of the counted attempts in messages, such as "attempts".
    package var counted = "attempts"

    /// Creates a value with all its members.
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

    /// The time until which other downloads of the app are not sent to the origin; nil if it is not
    /// held.
    var cool: Timestamp? {
        guard let told, told.holdsOrigin else { return nil }
        return min(now + told.bounded, deadline)
    }
}
