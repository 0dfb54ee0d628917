// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `CreateWebhookEndpointAnswer` of the API.
@dynamicMemberLookup
public struct CreateWebhookEndpointAnswer: Codable, Hashable, Sendable {
    /// The members that it shares with `WebhookEndpoint`; they can be read as its own.
    public var endpoint: WebhookEndpoint
    /// `whsec_` and 24 to 64 random bytes in base 64.
    public var secret: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        endpoint: WebhookEndpoint,
        secret: String
    ) {
        self.endpoint = endpoint
        self.secret = secret
    }

    private enum CodingKeys: String, CodingKey {
        case secret
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        endpoint = try WebhookEndpoint(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.secret = try members.decode(String.self, forKey: .secret)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        try endpoint.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.secret, forKey: .secret)
    }

    /// Reads a member of `endpoint`.
    public subscript<Value>(dynamicMember path: KeyPath<WebhookEndpoint, Value>) -> Value {
        endpoint[keyPath: path]
    }
}
