internal import Core
internal import Postgres

/// A download whose row this program cannot read, or whose wide row is gone.
package struct UnreadableRun: Sendable {
    /// The end that it is given.
    package let finished: RunRecord
    /// What is wrong with it, for the log.
    package let reason: String
}
