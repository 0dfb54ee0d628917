package import Core
internal import Postgres

/// One attempt of a download.
package struct AttemptRecord: Sendable {
    /// Its number, from 1; an attempt that was given back has one too.
    package let number: Int
    /// When it began; nil if that was never written.
    package let startedAt: Timestamp?
    /// When it ended; nil while it runs.
    package let endedAt: Timestamp?
    /// How it ended; nil while it runs.
    package let outcome: String?
    /// What else is known of it.
    package let detail: AttemptDetail
}
