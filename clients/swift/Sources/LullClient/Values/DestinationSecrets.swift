// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Headers and credentials for a receiver of the file, and for its hook.
public struct DestinationSecrets: Codable, Hashable, Sendable {
    /// `headers` of the API.
    public var headers: [String: String?]?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var authorization: ReceiverCredentials?
    /// `hook` of the API.
    public var hook: HookSecrets?

    /// Makes one of its members; those that are left out are nil.
    public init(
        headers: [String: String?]? = nil,
        authorization: ReceiverCredentials? = nil,
        hook: HookSecrets? = nil
    ) {
        self.headers = headers
        self.authorization = authorization
        self.hook = hook
    }

    private enum CodingKeys: String, CodingKey {
        case headers
        case authorization
        case hook
    }
}
