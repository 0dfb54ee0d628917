package import Core
internal import Postgres

/// What a claim brought.
package struct ClaimAnswer: Sendable {
    /// The downloads that run here now.
    package var runs: [ClaimedDownload] = []
    /// Those that have to be ended, because they cannot run.
    package var unreadable: [UnreadableRun] = []
    /// What the counters of the budgets show that were asked.
    package var budgets: Budgets.Readings = []
    /// When the lanes that were asked and that hold more are due.
    package var due: [Int64: Timestamp] = [:]
    /// When sessions of the lanes that were asked were suspended, by their numbers; those that
    /// never were are left out.
    package var suspensions: [Int64: Suspensions] = [:]
}
