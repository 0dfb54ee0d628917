/// Facts that the situations of many instants share: they are large, and change seldom.
package final class SharedFacts: Equatable, Sendable {
    /// The facts.
    package let value: SituationFacts

    /// Whether the policy has rules.
    let hasRules: Bool

    /// Facts to be shared.
    package init(_ value: SituationFacts) {
        self.value = value
        hasRules = !value.policy.rules.isEmpty
    }

    /// The same object, or equal facts.
    package static func == (left: SharedFacts, right: SharedFacts) -> Bool {
        left === right || left.value == right.value
    }
}
