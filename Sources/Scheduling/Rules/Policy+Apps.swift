// Adds the apps' policies to the deployment's: rules that have to hold as well, lower limits,
// further budgets.
package import Base

extension Policy {
    /// The policy with the policies of apps added.
    ///
    /// - Parameter others: each app's document, read over this policy.
    /// - Returns: the policy in force; what was added before is left out.
    package func adding(_ others: [KeyText: Policy]) -> Policy {
        var policy = self
        policy.apps = others
        policy.appWindows = [:]
        policy.limits.ofApps = others.mapValues(\.limits)
        policy.bandwidth.ofApps = others.mapValues(\.bandwidth)
        for other in others.values {
            for (name, hours) in other.windows { policy.appWindows[KeyText(name)] = hours }
        }
        policy.appsHaveBudgets = others.values.contains { !$0.budgets.isEmpty }
        return policy
    }

    /// The rules for an app's downloads; for an unknown app the deployment's.
    package func rules(of app: String) -> [PolicyRule] {
        guard let own = apps[KeyText(app)] else { return rules }
        return rules + own.rules
    }

    /// The rules of the deployment and of all apps.
    package var allRules: [PolicyRule] {
        apps.isEmpty
            ? rules : rules + apps.sorted { $0.key < $1.key }.flatMap(\.value.rules)
    }

    /// The app of each of all rules; nil for the deployment's.
    var ruleOwners: [String?] {
        rules.map { _ in nil }
            + apps.sorted { $0.key < $1.key }.flatMap { app, own in own.rules.map { _ in app.text }
            }
    }

    /// The budgets that may count an app's downloads.
    package func budgets(of app: String) -> [Budget] {
        guard let own = apps[KeyText(app)] else { return budgets }
        return budgets + own.budgets
    }

    /// The values in force for an app's downloads, for people: the names of rules and budgets, and
    /// the upper limits of every session and origin.
    package func effective(for app: String) -> JSON {
        let budgets = budgets(of: app).map { budget -> JSON in
            [
                "name": .string(budget.name), "bytes": .integer(budget.bytes),
                "per": .string(budget.period.rawValue), "scope": .string(budget.scope.rawValue),
                "is_hard": .bool(budget.isHard), "from": Policy.source(budget.owner),
            ]
        }
        let own = apps[KeyText(app)]?.rules.count ?? 0
        let rules = rules(of: app)
        return [
            "time_zone": .string(timeZone),
            "rules": .array(
                rules.enumerated().map { place, rule in
                    [
                        "name": .string(rule.name), "is_soft": .bool(rule.isSoft),
                        "from": Policy.source(place < rules.count - own ? "" : app),
                    ]
                }),
            "limits": [
                "per_app": limits.app(app).map { .integer(Int64($0)) } ?? .null,
                "per_session": limits.session("", app: app).map { .integer(Int64($0)) } ?? .null,
                "per_origin": .integer(Int64(limits.origin(nil, app: app))),
            ],
            "budgets": .array(budgets),
        ]
    }

    private static func source(_ owner: String) -> JSON {
        .string(owner.isEmpty ? "deployment" : "app")
    }
}
