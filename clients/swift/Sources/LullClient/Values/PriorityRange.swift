// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A range of priorities.
public struct PriorityRange: Codable, Hashable, Sendable {
    /// The least value, included.
    public var min: Double?
    /// The upper bound, not included.
    public var max: Double?

    /// Makes one of its members; those that are left out are nil.
    public init(
        min: Double? = nil,
        max: Double? = nil
    ) {
        self.min = min
        self.max = max
    }

    private enum CodingKeys: String, CodingKey {
        case min
        case max
    }
}
