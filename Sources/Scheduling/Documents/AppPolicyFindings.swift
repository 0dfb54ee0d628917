// Findings about an app's document: members without effect, because the deployment's are tighter.
internal import Base

/// Compares an app's policy with the deployment's.
enum AppPolicyFindings {
    /// Looser numbers, and rules and budgets that name other apps.
    static func of(
        _ policy: Policy, _ document: JSONObject, over base: Policy, app: String
    ) -> [PolicyFinding] {
        var findings: [PolicyFinding] = []
        func add(_ pointer: String, _ detail: String) {
            findings.append(PolicyFinding(pointer, .noEffect, detail))
        }
        func compare(_ pointer: String, _ own: Int?, _ limit: Int?) {
            guard let own, let limit, limit <= own else { return }
            add(pointer, "has no effect: the deployment's limit is \(limit)")
        }
        let limits = document["limits"]
        if limits?["per_app"] != nil {
            compare("#/limits/per_app", policy.limits.app(app), base.limits.app(app))
        }
        for name in ["per_session", "per_origin"] {
            for (key, value) in entries(limits?[name]) {
                let place = key.map { "#/limits/\(name)/\(escaped($0))" } ?? "#/limits/\(name)"
                let limit =
                    name == "per_session"
                    ? base.limits.session(key ?? "") : base.limits.perOrigin
                compare(place, value, limit)
            }
        }
        for (place, rule) in policy.rules.enumerated() where isForOthers(rule.match, app) {
            add("#/rules/\(place)/match/app", "has no effect: it matches only other apps")
        }
        for (place, budget) in policy.budgets.enumerated() {
            if isForOthers(budget.match, app) {
                add("#/budgets/\(place)/match/app", "has no effect: it matches only other apps")
            } else if let looser = looser(budget, than: base) {
                add(
                    "#/budgets/\(place)/bytes",
                    "has no effect: the deployment's budget \"\(looser.name)\" has "
                        + "\(ByteCount.print(looser.bytes)) a \(looser.period.rawValue)")
            }
        }
        return findings
    }

    private static func entries(_ value: JSON?) -> [(key: String?, value: Int)] {
        if let number = value?.integerValue { return [(nil, Int(number))] }
        return (value?.objectValue?.members ?? []).compactMap { key, value in
            value.integerValue.map { (key, Int($0)) }
        }
    }

    /// A name as a part of a JSON Pointer.
    private static func escaped(_ name: String) -> String {
        name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }

    private static func isForOthers(_ match: Match, _ app: String) -> Bool {
        !match.apps.isEmpty && !match.apps.contains { $0.matches(app) }
    }

    /// The deployment's budget that always ends first, because it counts everything that this one
    /// counts.
    private static func looser(_ budget: Budget, than base: Policy) -> Budget? {
        base.budgets.first { other in
            other.bytes <= budget.bytes && other.period == budget.period
                && (other.scope == .deployment || other.scope == budget.scope)
                && (other.counts == .both || other.counts == budget.counts)
                && (other.match == Match() || other.match == budget.match)
                && (!budget.isPaced || other.isPaced) && (!budget.isHard || other.isHard)
        }
    }
}
