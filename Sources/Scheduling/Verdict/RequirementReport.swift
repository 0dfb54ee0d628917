package import Base

/// One requirement of a rule, as an explanation shows it.
package struct RequirementReport: Equatable, Sendable {
    /// The result for a requirement.
    package enum Outcome: String, Sendable {
        /// It is met.
        case met
        /// It is not met.
        case unmet
        /// It is not met, and is waived.
        case waived
        /// Its condition has no value and no default.
        case unknown
    }

    /// Its text.
    package let text: String
    /// The result.
    package let outcome: Outcome
    /// The value of its condition.
    package let value: ConditionValue?
    /// The time at which it is met next, or ceases to be met, as far as known.
    package let until: Timestamp?
}
