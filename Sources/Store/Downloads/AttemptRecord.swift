package import Base
package import Downloads
internal import Postgres

/// One attempt of a download.
package struct AttemptRecord: Sendable {
    /// The number, from 1; also for an attempt that was given back.
    package let number: Int
    /// The time at which it began; nil if that was never recorded.
    package let startedAt: Timestamp?
    /// The time at which it ended; nil while it runs.
    package let endedAt: Timestamp?
    /// The outcome; nil while it runs.
    package let outcome: String?
    /// Further facts about it.
    package let detail: AttemptDetail
}
