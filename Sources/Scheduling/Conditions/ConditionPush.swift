package import Base

/// A value of a condition as a client pushed it, with its schedule of later values.
package struct ConditionPush: Equatable, Sendable {
    /// A value from an instant on.
    package struct Step: Equatable, Sendable {
        /// The instant.
        package var from: Timestamp
        /// The value.
        package var value: ConditionValue

        /// Creates a value with both members.
        package init(from: Timestamp, value: ConditionValue) {
            self.from = from
            self.value = value
        }
    }

    /// The value.
    package var value: ConditionValue
    /// The time at which it was stored, by the database's clock.
    package var pushedAt: Timestamp
    /// The time for which it is valid, from the last instant of its schedule on; nil for no end.
    package var ttl: Duration?
    /// The source that the client named.
    package var source: String?
    /// The later values, in order.
    package var schedule: [Step]

    /// Creates a value with all its members.
    package init(
        value: ConditionValue, pushedAt: Timestamp, ttl: Duration? = nil, source: String? = nil,
        schedule: [Step] = []
    ) {
        self.value = value
        self.pushedAt = pushedAt
        self.ttl = ttl
        self.source = source
        self.schedule = schedule
    }

    /// The time at which it becomes invalid; nil for never.
    package var expiresAt: Timestamp? {
        ttl.map { max(pushedAt, schedule.last?.from ?? pushedAt) + $0 }
    }
}
