/// One requirement of a rule, as an explanation shows it.
package struct RequirementReport: Equatable, Sendable {
    /// How it counts.
    package enum Outcome: String, Sendable {
        /// It holds.
        case met
        /// It does not.
        case unmet
        /// It does not, and is not waited for any more.
        case waived
        /// What it depends on is not known, and nothing stands in for it.
        case unknown
    }

    /// Its text.
    package let text: String
    /// How it counts.
    package let outcome: Outcome
    /// The value of its condition.
    package let value: ConditionValue?
    /// When it is met next, or ceases to be, as far as that is known.
    package let until: Timestamp?
}
