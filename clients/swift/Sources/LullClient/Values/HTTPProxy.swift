// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A proxy, and credentials for it.
public struct HTTPProxy: Codable, Hashable, Sendable {
    /// `url` of the API.
    public var url: String
    /// `username` of the API.
    public var username: String?
    /// `password` of the API.
    public var password: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        username: String? = nil,
        password: String? = nil
    ) {
        self.url = url
        self.username = username
        self.password = password
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case username
        case password
    }
}
