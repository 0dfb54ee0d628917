internal import Core
internal import Platform
internal import Postgres
internal import Synchronization

/// What a look found for a listener.
package struct ProgressNews: Sendable {
    /// Which look; rises.
    package let version: UInt64
    /// The boot clock just before it, in nanoseconds: what a listener learned later is newer.
    package let askedAt: Int64
    /// The downloads that got bytes since the look before, in no special order.
    package let notes: [ProgressNote]
}
