// Warnings about parts of an accepted document that probably do not do what was meant.
internal import Base

/// Computes warnings about a policy.
enum PolicyWarnings {
    /// The most rules with windows that are compared in pairs.
    private static let comparedAtMost = 64

    /// Warnings for rules whose windows have no minute of the week in common, alone or in pairs of
    /// rules, and for windows and conditions that no rule names.
    static func of(_ policy: Policy) -> [PolicyFinding] {
        var week: [KeyText: WeekMinutes] = [:]
        for (name, hours) in policy.windows { week[KeyText(name)] = WeekMinutes(hours) }
        var findings: [PolicyFinding] = []
        var compared: [(place: Int, minutes: WeekMinutes)] = []
        for (place, rule) in policy.rules.enumerated() {
            guard let minutes = minutes(rule, week) else { continue }
            if minutes.isEmpty {
                findings.append(
                    PolicyFinding(
                        "#/rules/\(place)", .warning,
                        "its windows have no minute of the week in common"
                            + (rule.isSoft ? "" : ", so downloads that it matches never begin")))
            } else if compared.count < comparedAtMost {
                compared.append((place, minutes))
            }
        }
        for (index, later) in compared.enumerated() {
            for earlier in compared[..<index] {
                let (one, two) = (policy.rules[earlier.place], policy.rules[later.place])
                guard !one.isSoft, !two.isSoft, !one.match.excludes(two.match),
                    earlier.minutes.intersection(later.minutes).isEmpty
                else { continue }
                findings.append(
                    PolicyFinding(
                        "#/rules/\(later.place)", .warning,
                        "\"\(one.name)\" and \"\(two.name)\" have no common hour, so downloads "
                            + "that both match never begin"))
            }
        }
        return findings + unused(policy)
    }

    private static func minutes(
        _ rule: PolicyRule, _ week: [KeyText: WeekMinutes]
    ) -> WeekMinutes? {
        var common: WeekMinutes?
        for requirement in rule.requirements {
            guard case .window(let name, let isNegated) = requirement.subject,
                let hours = week[name]
            else { continue }
            let open = isNegated ? hours.inverted : hours
            common = common?.intersection(open) ?? open
        }
        return common
    }

    private static func unused(_ policy: Policy) -> [PolicyFinding] {
        let used = Set(
            policy.rules.flatMap { rule in
                rule.requirements.compactMap { $0.window ?? $0.condition.map { KeyText($0) } }
                    + [rule.preference?.condition].compactMap { $0.map { KeyText($0) } }
            })
        let names =
            [("windows", policy.windows.map(\.name))]
            + [("conditions", policy.conditions.map(\.name))]
        return names.flatMap { part, names in
            names.filter { !used.contains(KeyText($0)) }.map { name in
                PolicyFinding("#/\(part)/\(name)", .noEffect, "is not used by any rule")
            }
        }
    }
}
