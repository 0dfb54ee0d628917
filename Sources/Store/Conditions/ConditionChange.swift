package import Base
internal import Postgres
package import Scheduling

/// One change of a condition, from its history.
package struct ConditionChange: Equatable, Sendable {
    /// The new value; nil for a removal.
    package let value: ConditionValue?
    /// The source that the client named.
    package let source: String?
    /// The time at which it was stored.
    package let changedAt: Timestamp
}
