package import Core
internal import Postgres

/// One change of a condition, from its history.
package struct ConditionChange: Equatable, Sendable {
    /// The new value; nil for a removal.
    package let value: ConditionValue?
    /// Who pushed it, as they said.
    package let source: String?
    /// When.
    package let changedAt: Timestamp
}
