// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `ConditionPush` of the API.
public struct ConditionPush: Codable, Hashable, Sendable {
    /// A number, true or false, or a word of letters, digits, `_`, `-` and `.`.
    public var value: JSONValue
    /// How long it counts, from the last instant of the schedule on; else as the policy declares.
    public var ttlSeconds: Int?
    /// `source` of the API.
    public var source: String?
    /// What it will be, in order.
    public var schedule: [ConditionStep]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        value: JSONValue,
        ttlSeconds: Int? = nil,
        source: String? = nil,
        schedule: [ConditionStep]? = nil
    ) {
        self.value = value
        self.ttlSeconds = ttlSeconds
        self.source = source
        self.schedule = schedule
    }

    private enum CodingKeys: String, CodingKey {
        case value
        case ttlSeconds = "ttl_seconds"
        case source
        case schedule
    }
}
