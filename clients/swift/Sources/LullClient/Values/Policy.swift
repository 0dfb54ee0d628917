// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A policy document; missing members take the deployment's defaults.
///
/// `GET /v1/policy/schema` has its members.
public struct Policy: Codable, Hashable, Sendable {
    /// The IANA name of the zone of windows, timetables and budget periods;
    ///
    /// UTC by default.
    public var timeZone: String?
    /// Lists of hours by name, such as Mon-Fri 22:00-06:00.
    public var windows: [String: [String]]?
    /// Conditions whose values are pushed, by name.
    public var conditions: [String: ConditionDeclaration]?
    /// Downloads that a rule matches wait until everything in its require holds.
    public var rules: [PolicyRule]?
    /// How many downloads run at once.
    public var limits: PolicyLimits?
    /// Bytes that may be transferred in a period.
    public var budgets: [PolicyBudget]?
    /// Bytes a second over all replicas together: one timetable for everything, or several, all of
    /// which hold.
    public var bandwidth: JSONValue?
    /// Weights by which apps and sessions share the slots.
    public var shares: PolicyShares?
    /// How early a download with a deadline stops waiting for soft rules.
    public var `guard`: DeadlineGuard?

    /// Makes one of its members; those that are left out are nil.
    public init(
        timeZone: String? = nil,
        windows: [String: [String]]? = nil,
        conditions: [String: ConditionDeclaration]? = nil,
        rules: [PolicyRule]? = nil,
        limits: PolicyLimits? = nil,
        budgets: [PolicyBudget]? = nil,
        bandwidth: JSONValue? = nil,
        shares: PolicyShares? = nil,
        guard: DeadlineGuard? = nil
    ) {
        self.timeZone = timeZone
        self.windows = windows
        self.conditions = conditions
        self.rules = rules
        self.limits = limits
        self.budgets = budgets
        self.bandwidth = bandwidth
        self.shares = shares
        self.guard = `guard`
    }

    private enum CodingKeys: String, CodingKey {
        case timeZone = "time_zone"
        case windows
        case conditions
        case rules
        case limits
        case budgets
        case bandwidth
        case shares
        case `guard`
    }
}
