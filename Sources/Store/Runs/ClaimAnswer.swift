package import Base
package import Downloads
internal import Postgres

/// The result of a claim.
package struct ClaimAnswer: Sendable {
    /// The downloads that run here now.
    package var runs: [ClaimedDownload] = []
    /// Downloads that have to be ended, because they cannot run.
    package var unreadable: [UnreadableRun] = []
    /// The readings of the budgets' counters.
    package var budgets: Budgets.Readings = []
    /// The time at which the asked lanes that have more downloads are due.
    package var due: [Int64: Timestamp] = [:]
    /// The suspensions of the lanes' sessions, by session number; a session that was never
    /// suspended is left out.
    package var suspensions: [Int64: Suspensions] = [:]
}
