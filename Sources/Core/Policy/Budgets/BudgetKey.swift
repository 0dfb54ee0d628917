/// A counter of a budget: everything with the same key is counted together.
package struct BudgetKey: Hashable, Sendable {
    /// The app whose policy has the budget; empty for the deployment's.
    package var owner: String
    /// The budget's name.
    package var budget: String
    /// What the scope names: an app, `app/session`, an origin; empty for the deployment.
    package var value: String

    /// Names all of it.
    package init(owner: String = "", budget: String, value: String = "") {
        self.owner = owner
        self.budget = budget
        self.value = value
    }

    /// Whether both count the same: by bytes, as the counter's row does.
    package static func == (left: BudgetKey, right: BudgetKey) -> Bool {
        left.keys == right.keys
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(keys) }

    private var keys: [KeyText] { [KeyText(owner), KeyText(budget), KeyText(value)] }

    /// The counter of a budget that a download is counted by; nil where its name is not known.
    init?(_ budget: Budget, of candidate: AdmissionCandidate) {
        var value = ""
        switch budget.scope {
        case .deployment: break
        case .app: value = candidate.app
        case .session: value = "\(candidate.app)/\(candidate.session)"
        case .origin: value = candidate.originName ?? ""
        }
        let isKnown = budget.scope == .origin ? !value.isEmpty : !candidate.app.isEmpty
        guard isKnown || budget.scope == .deployment else { return nil }
        self.init(owner: budget.owner, budget: budget.name, value: value)
    }
}
