// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// None, also in spite of the session.
public struct NoProxy: Codable, Hashable, Sendable {
    /// `mode` of the API.
    public var mode: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        mode: String
    ) {
        self.mode = mode
    }

    private enum CodingKeys: String, CodingKey {
        case mode
    }
}
