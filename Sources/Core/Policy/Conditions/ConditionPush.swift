/// A value of a condition as a client pushed it, with the values that it announced for later.
package struct ConditionPush: Equatable, Sendable {
    /// A value from an instant on.
    package struct Step: Equatable, Sendable {
        /// The instant.
        package var from: Timestamp
        /// The value.
        package var value: ConditionValue

        /// Names both.
        package init(from: Timestamp, value: ConditionValue) {
            self.from = from
            self.value = value
        }
    }

    /// The value.
    package var value: ConditionValue
    /// When it was stored, by the database's clock.
    package var pushedAt: Timestamp
    /// How long it counts, from the last instant of its schedule on; nil for ever.
    package var ttl: Duration?
    /// Who pushed it, as they said.
    package var source: String?
    /// What it will be, in order.
    package var schedule: [Step]

    /// Names all of it.
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

    /// When it ceases to count; nil for never.
    package var expiresAt: Timestamp? {
        ttl.map { max(pushedAt, schedule.last?.from ?? pushedAt) + $0 }
    }
}
