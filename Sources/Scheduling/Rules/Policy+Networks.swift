// The two built-in rules: a client decides which networks its download may use.

extension Policy {
    /// A rule for each kind of network that a client may exclude.
    static let networkRules: [PolicyRule] = [
        networkRule(
            "allows_expensive_network_access", .networkCost, .word("expensive")
        ) { $0.allowsExpensive = false },
        networkRule(
            "allows_constrained_network_access", .networkConstrained, .flag(true)
        ) { $0.allowsConstrained = false },
    ]

    private static func networkRule(
        _ name: String, _ condition: BuiltInCondition, _ value: ConditionValue,
        match: (inout Match) -> Void
    ) -> PolicyRule {
        let comparison = Comparison(comparator: .notEqual, values: [value])
        var rule = PolicyRule(
            name: name, match: Match(),
            requirements: [Requirement(.condition(condition.rawValue, comparison))],
            isSoft: false, atClose: .stop)
        match(&rule.match)
        return rule
    }

    /// The rules that may apply to a candidate: those for its app's downloads, and those of
    /// networks if it may not use all.
    func rules(for candidate: AdmissionCandidate) -> [PolicyRule] {
        let own = rules(of: candidate.app)
        return candidate.isKeptFromNetworks ? own + Policy.networkRules : own
    }

    /// The rules that may apply to some candidate.
    package var judgedRules: [PolicyRule] { allRules + Policy.networkRules }
}
