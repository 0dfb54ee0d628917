// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A name and its password, as they are sent.
public struct BasicCredentials: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: String
    /// `username` of the API.
    public var username: String
    /// `password` of the API.
    public var password: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: String,
        username: String,
        password: String
    ) {
        self.type = type
        self.username = username
        self.password = password
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case username
        case password
    }
}
