internal import Platform
internal import Postgres
internal import Synchronization

/// The result of a look, for a listener.
package struct ProgressUpdate: Sendable {
    /// The number of the look; rises.
    package let version: UInt64
    /// The boot clock just before the look, in nanoseconds: events that a listener gets later are
    /// newer.
    package let askedAt: Int64
    /// The downloads with new bytes since the previous look, in no special order.
    package let notes: [ProgressNote]
}
