// The policy: when downloads may run, and how much of everything at once.
package import Base

/// The deployment's policy document as a value.
package struct Policy: Equatable, Sendable {
    /// The IANA name of the time zone of windows.
    package var timeZone: String
    /// Times of the week by name.
    package var windows: [(name: String, hours: WeeklyWindows)]
    /// The declared conditions.
    package var conditions: [ConditionDeclaration]
    /// The rules, in the document's order.
    package var rules: [PolicyRule]
    /// The most downloads that run at once.
    package var limits: PolicyLimits
    /// The most bytes in a period.
    package var budgets: [Budget]
    /// The limits of transfer rates.
    package var bandwidth: Bandwidth
    /// The weights by which apps and sessions share.
    package var shares: PolicyShares
    /// The time before a deadline at which soft waiting ends.
    package var deadlines: PolicyGuard
    /// The document as it was given, echoed.
    package var document: JSONObject
    /// The policies of apps, by their names; see `Policy+Apps.swift`.
    package internal(set) var apps: [KeyText: Policy] = [:]
    /// The windows of apps, named `app/window`.
    var appWindows: [KeyText: WeeklyWindows] = [:]
    /// Whether an app has budgets.
    var appsHaveBudgets = false

    /// A policy without rules, with the given limits.
    package init(limits: PolicyLimits, bandwidth: Timetable? = nil) {
        timeZone = "UTC"
        windows = []
        conditions = []
        rules = []
        self.limits = limits
        budgets = []
        self.bandwidth = Bandwidth(deployment: bandwidth)
        shares = PolicyShares()
        deadlines = PolicyGuard()
        document = JSONObject()
    }

    /// The hours of the window with a name.
    package func window(_ name: KeyText) -> WeeklyWindows? {
        windows.first { KeyText($0.name) == name }?.hours ?? appWindows[name]
    }

    /// A declared or built-in condition.
    package func condition(_ name: String) -> ConditionDeclaration? {
        BuiltInCondition(rawValue: name)?.declaration ?? conditions.first { $0.name == name }
    }

    /// Whether there is a budget.
    package var hasBudgets: Bool { !budgets.isEmpty || appsHaveBudgets }

    /// A budget by its name and the app whose policy has it.
    package func budget(_ name: String, owner: String = "") -> Budget? {
        budgets(of: owner).first {
            KeyText.areEqual($0.name, name) && KeyText.areEqual($0.owner, owner)
        }
    }

    /// Whether a decision depends on the names of origins.
    package var needsOriginNames: Bool {
        bandwidth.canStopOrigins || !limits.origins.isEmpty
            || rules.contains { $0.match.needsOrigin || $0.preference != nil }
            || budgets.contains { $0.scope == .origin || $0.match.needsOrigin }
            || apps.values.contains(where: \.needsOriginNames)
    }

    /// Whether the documents, limits and rates of two policies are equal.
    package static func == (left: Policy, right: Policy) -> Bool {
        left.document == right.document && left.limits == right.limits
            && left.bandwidth == right.bandwidth
            && left.apps.mapValues(\.document) == right.apps.mapValues(\.document)
    }
}
