// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `RotateWebhookSecretAnswer` of the API.
public struct RotateWebhookSecretAnswer: Codable, Hashable, Sendable {
    /// `whsec_` and 24 to 64 random bytes in base 64.
    public var secret: String
    /// RFC 3339 in UTC with milliseconds.
    public var previousExpiresAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        secret: String,
        previousExpiresAt: Date
    ) {
        self.secret = secret
        self.previousExpiresAt = previousExpiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case secret
        case previousExpiresAt = "previous_expires_at"
    }
}
