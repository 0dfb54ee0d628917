// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ConditionStep` of the API.
public struct ConditionStep: Codable, Hashable, Sendable {
    /// `from` of the API.
    public var from: Date
    /// `value` of the API.
    public var value: JSONValue

    /// Makes one of its members; those that are left out are nil.
    public init(
        from: Date,
        value: JSONValue
    ) {
        self.from = from
        self.value = value
    }

    private enum CodingKeys: String, CodingKey {
        case from
        case value
    }
}
