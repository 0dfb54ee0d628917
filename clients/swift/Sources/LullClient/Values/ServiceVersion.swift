// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `ServiceVersion` of the API.
public struct ServiceVersion: Codable, Hashable, Sendable {
    /// `name` of the API.
    public var name: String
    /// `version` of the API.
    public var version: String
    /// Whether requests need a key.
    public var auth: AuthMode

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        version: String,
        auth: AuthMode
    ) {
        self.name = name
        self.version = version
        self.auth = auth
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case version
        case auth
    }
}
