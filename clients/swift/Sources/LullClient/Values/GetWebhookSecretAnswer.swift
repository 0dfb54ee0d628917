// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `GetWebhookSecretAnswer` of the API.
public struct GetWebhookSecretAnswer: Codable, Hashable, Sendable {
    /// `whsec_` and 24 to 64 random bytes in base 64.
    public var secret: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        secret: String
    ) {
        self.secret = secret
    }

    private enum CodingKeys: String, CodingKey {
        case secret
    }
}
