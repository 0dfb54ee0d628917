// When discretionary work may run, and how much of everything at once.

/// The deployment's policy document, read.
package struct Policy: Equatable, Sendable {
    /// The IANA name of the zone in which windows are meant.
    package var timeZone: String
    /// Times of the week by name.
    package var windows: [(name: String, hours: WeeklyWindows)]
    /// The conditions that are declared.
    package var conditions: [ConditionDeclaration]
    /// What has to hold for which downloads, in the document's order.
    package var rules: [PolicyRule]
    /// How much at once.
    package var limits: PolicyLimits
    /// How much in a period.
    package var budgets: [Budget]
    /// How fast.
    package var bandwidth: Bandwidth
    /// By which weights.
    package var shares: PolicyShares
    /// How early a deadline ends soft waiting.
    package var deadlines: PolicyGuard
    /// The document as it was given, echoed.
    package var document: JSONObject
    /// What apps add to it, by their names; see `Policy+Apps.swift`.
    package internal(set) var apps: [KeyText: Policy] = [:]
    /// The windows that apps add, as `app/window`.
    var appWindows: [KeyText: WeeklyWindows] = [:]
    /// Whether an app has budgets.
    var appsHaveBudgets = false

    /// A policy that lets everything run, within the limits given.
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

    /// The hours of a window.
    package func window(_ name: KeyText) -> WeeklyWindows? {
        windows.first { KeyText($0.name) == name }?.hours ?? appWindows[name]
    }

    /// A condition that is declared or built in.
    package func condition(_ name: String) -> ConditionDeclaration? {
        BuiltInCondition(rawValue: name)?.declaration ?? conditions.first { $0.name == name }
    }

    /// Whether anything is counted against budgets.
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

    /// Two policies are the same if their documents, limits and rates are.
    package static func == (left: Policy, right: Policy) -> Bool {
        left.document == right.document && left.limits == right.limits
            && left.bandwidth == right.bandwidth
            && left.apps.mapValues(\.document) == right.apps.mapValues(\.document)
    }
}
