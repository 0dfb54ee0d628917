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
    package func window(_ name: String) -> WeeklyWindows? {
        windows.first { $0.name == name }?.hours
    }

    /// A condition that is declared or built in.
    package func condition(_ name: String) -> ConditionDeclaration? {
        BuiltInCondition(rawValue: name)?.declaration ?? conditions.first { $0.name == name }
    }

    /// Whether a decision depends on the names of origins.
    package var needsOriginNames: Bool {
        bandwidth.canStopOrigins || !limits.origins.isEmpty
            || rules.contains { $0.match.needsOrigin }
    }

    /// Two policies are the same if their documents, limits and rates are.
    package static func == (left: Policy, right: Policy) -> Bool {
        left.document == right.document && left.limits == right.limits
            && left.bandwidth == right.bandwidth
    }
}
