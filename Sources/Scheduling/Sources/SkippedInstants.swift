package import Base

/// Adjacent instants of a source that have no look, for one reason.
package struct SkippedInstants: Equatable, Sendable {
    /// The reason.
    package var reason: SkipReason
    /// The first of them.
    package var first: Timestamp
    /// The last of them.
    package var last: Timestamp
    /// Their number, at least 1.
    package var count: Int64

    /// A single instant.
    package init(_ reason: SkipReason, _ instant: Timestamp) {
        (self.reason, first, last, count) = (reason, instant, instant, 1)
    }
}
