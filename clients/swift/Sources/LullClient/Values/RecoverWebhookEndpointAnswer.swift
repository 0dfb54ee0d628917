// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `RecoverWebhookEndpointAnswer` of the API.
public struct RecoverWebhookEndpointAnswer: Codable, Hashable, Sendable {
    /// `queued` of the API.
    public var queued: Int
    /// `is_complete` of the API.
    public var isComplete: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        queued: Int,
        isComplete: Bool
    ) {
        self.queued = queued
        self.isComplete = isComplete
    }

    private enum CodingKeys: String, CodingKey {
        case queued
        case isComplete = "is_complete"
    }
}
