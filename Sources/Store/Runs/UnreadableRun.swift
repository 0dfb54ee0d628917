internal import Postgres

/// A download whose row this program cannot read, or whose row in `downloads` is missing.
package struct UnreadableRun: Sendable {
    /// The recorded end.
    package let finished: RunRecord
    /// The error, for the log.
    package let reason: String
}
