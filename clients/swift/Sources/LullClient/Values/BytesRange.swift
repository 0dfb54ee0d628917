// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A range of expected bytes.
public struct BytesRange: Codable, Hashable, Sendable {
    /// The least value, included.
    public var min: JSONValue?
    /// The upper bound, not included.
    public var max: JSONValue?

    /// Makes one of its members; those that are left out are nil.
    public init(
        min: JSONValue? = nil,
        max: JSONValue? = nil
    ) {
        self.min = min
        self.max = max
    }

    private enum CodingKeys: String, CodingKey {
        case min
        case max
    }
}
