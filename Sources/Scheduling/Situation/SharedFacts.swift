/// The facts that the situations of many instants share, by reference because they are large and
/// seldom change.
package final class SharedFacts: Equatable, Sendable {
    /// The facts.
    package let value: SituationFacts

    /// Whether the policy has rules.
    let hasRules: Bool

    /// Puts facts into a new object.
    package init(_ value: SituationFacts) {
        self.value = value
        hasRules = !value.policy.rules.isEmpty
    }

    /// Whether both are one object, or have equal facts.
    package static func == (left: SharedFacts, right: SharedFacts) -> Bool {
        left === right || left.value == right.value
    }
}
