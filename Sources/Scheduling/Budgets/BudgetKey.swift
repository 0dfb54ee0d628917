internal import Base

/// The key of a budget's counter: downloads with equal keys are counted together.
package struct BudgetKey: Hashable, Sendable {
    /// The app whose policy has the budget; empty for the deployment's.
    package var owner: String
    /// The budget's name.
    package var budget: String
    /// The instance of the scope: an app, `app/session`, an origin; empty for the deployment.
    package var value: String

    /// Creates a value with all its members.
    package init(owner: String = "", budget: String, value: String = "") {
        self.owner = owner
        self.budget = budget
        self.value = value
    }

    /// Whether two keys name one counter: compared by bytes, as the counter's row is.
    package static func == (left: BudgetKey, right: BudgetKey) -> Bool {
        left.keys == right.keys
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(keys) }

    private var keys: [KeyText] { [KeyText(owner), KeyText(budget), KeyText(value)] }

    /// The key of the counter for a download; nil if a name that it needs is unknown.
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
