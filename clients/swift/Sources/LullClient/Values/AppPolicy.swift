// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What an app adds to the policy: rules over the deployment's windows and conditions and over
/// windows of its own, lower limits and rates, further budgets.
///
/// `per_app` is the number of the app's downloads.
public struct AppPolicy: Codable, Hashable, Sendable {
    /// Lists of hours by name, such as Mon-Fri 22:00-06:00.
    public var windows: [String: [String]]?
    /// Downloads that a rule matches wait until everything in its require holds.
    public var rules: [PolicyRule]?
    /// How many downloads run at once.
    public var limits: AppLimits?
    /// Bytes that may be transferred in a period.
    public var budgets: [PolicyBudget]?
    /// Bytes a second: a timetable for the app, or `deployment` (the same) and `per_session`.
    public var bandwidth: JSONValue?

    /// Makes one of its members; those that are left out are nil.
    public init(
        windows: [String: [String]]? = nil,
        rules: [PolicyRule]? = nil,
        limits: AppLimits? = nil,
        budgets: [PolicyBudget]? = nil,
        bandwidth: JSONValue? = nil
    ) {
        self.windows = windows
        self.rules = rules
        self.limits = limits
        self.budgets = budgets
        self.bandwidth = bandwidth
    }

    private enum CodingKeys: String, CodingKey {
        case windows
        case rules
        case limits
        case budgets
        case bandwidth
    }
}
