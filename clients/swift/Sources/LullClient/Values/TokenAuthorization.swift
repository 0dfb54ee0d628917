// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A token.
public struct TokenAuthorization: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: String
    /// `token` of the API.
    public var token: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: String,
        token: String
    ) {
        self.type = type
        self.token = token
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case token
    }
}
