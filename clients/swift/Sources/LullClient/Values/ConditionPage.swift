// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `ConditionPage` of the API.
public struct ConditionPage: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [Condition]

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Condition]
    ) {
        self.data = data
    }

    private enum CodingKeys: String, CodingKey {
        case data
    }
}
