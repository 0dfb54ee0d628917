internal import Core
internal import Postgres

/// What a claim brought.
package struct ClaimAnswer: Sendable {
    /// The downloads that run here now.
    package var runs: [ClaimedDownload] = []
    /// Those that have to be ended, because they cannot run.
    package var unreadable: [UnreadableRun] = []
}
