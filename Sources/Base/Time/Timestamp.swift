// Instants with microseconds, the one type for database, policy and answers.

/// An instant with microseconds, like PostgreSQL's `timestamptz`.
package struct Timestamp: Hashable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted; any value.
    package var microseconds: Int64

    /// Creates the instant this many microseconds after 1970-01-01T00:00:00Z.
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Creates the instant this many seconds after 1970, limited to the range of instants.
    package init(seconds: Int64) {
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflowed ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// 1970-01-01T00:00:00Z.
    package static let epoch = Timestamp(microseconds: 0)
}

extension Timestamp: Comparable {
    /// Whether the left instant comes first.
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant later by a duration, limited to the range of instants.
    package static func + (left: Timestamp, right: Duration) -> Timestamp {
        let (sum, overflowed) = left.microseconds.addingReportingOverflow(right.wholeMicroseconds)
        guard overflowed else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: right < .zero ? .min : .max)
    }

    /// The instant earlier by a duration, limited to the range of instants.
    package static func - (left: Timestamp, right: Duration) -> Timestamp {
        left + (.zero - right)
    }

    /// The time from the right instant to the left one, negative if the left one comes first.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds) - .microseconds(right.microseconds)
    }

    /// Moves the instant.
    package static func += (left: inout Timestamp, right: Duration) { left = left + right }
}

extension Duration {
    /// The duration in microseconds, rounded toward zero and limited to 64 bits.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowedToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        if overflowed || overflowedToo { return seconds < 0 ? .min : .max }
        return sum
    }

    /// The duration in milliseconds, rounded toward zero.
    package var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}
