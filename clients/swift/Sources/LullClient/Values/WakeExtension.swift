// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `WakeExtension` of the API.
public struct WakeExtension: Codable, Hashable, Sendable {
    /// `seconds` of the API.
    public var seconds: Int

    /// Makes one of its members; those that are left out are nil.
    public init(
        seconds: Int
    ) {
        self.seconds = seconds
    }

    private enum CodingKeys: String, CodingKey {
        case seconds
    }
}
