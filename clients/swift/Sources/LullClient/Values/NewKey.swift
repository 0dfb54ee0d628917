// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `NewKey` of the API.
public struct NewKey: Codable, Hashable, Sendable {
    /// The app whose downloads and sessions it may use.
    public var app: String
    /// Without them the key may read and change downloads and uploads, and read content.
    public var scopes: [KeyScope]?
    /// `limits` of the API.
    public var limits: KeyLimitsPatch?

    /// Makes one of its members; those that are left out are nil.
    public init(
        app: String,
        scopes: [KeyScope]? = nil,
        limits: KeyLimitsPatch? = nil
    ) {
        self.app = app
        self.scopes = scopes
        self.limits = limits
    }

    private enum CodingKeys: String, CodingKey {
        case app
        case scopes
        case limits
    }
}
