// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A policy document; missing members take the deployment's defaults.
///
/// `GET /v1/policy/schema` has its members.
public struct Policy: Codable, Hashable, Sendable {
    /// The IANA name of the zone of windows and timetables.
    public var timeZone: String?
    /// Lists of hours by name, such as `Mon-Fri 22:00-06:00`.
    public var windows: [String: JSONValue]?
    /// Conditions that are pushed.
    public var conditions: [String: JSONValue]?
    /// What has to hold for which downloads.
    public var rules: [[String: JSONValue]]?
    /// How many downloads run at once.
    public var limits: [String: JSONValue]?
    /// Bytes that may come and go in a period.
    public var budgets: [[String: JSONValue]]?
    /// Bytes a second, over all replicas together: a timetable or several.
    public var bandwidth: JSONValue?
    /// Weights of apps and sessions.
    public var shares: [String: JSONValue]?
    /// How early a deadline ends soft waiting.
    public var `guard`: [String: JSONValue]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        timeZone: String? = nil,
        windows: [String: JSONValue]? = nil,
        conditions: [String: JSONValue]? = nil,
        rules: [[String: JSONValue]]? = nil,
        limits: [String: JSONValue]? = nil,
        budgets: [[String: JSONValue]]? = nil,
        bandwidth: JSONValue? = nil,
        shares: [String: JSONValue]? = nil,
        guard: [String: JSONValue]? = nil
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
