// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Headers and credentials for a hook.
public struct HookSecrets: Codable, Hashable, Sendable {
    /// Fields that every webhook to this receiver carries (of a session: those to its
    /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most 16;
    /// sealed, and shown by their names.
    ///
    /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
    /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin of
    /// `url`: with a `url` of another origin they are dropped, unless they are given anew, and
    /// `dropped` says so.
    public var headers: [String: String?]?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var authorization: ReceiverCredentials?

    /// Makes one of its members; those that are left out are nil.
    public init(
        headers: [String: String?]? = nil,
        authorization: ReceiverCredentials? = nil
    ) {
        self.headers = headers
        self.authorization = authorization
    }

    private enum CodingKeys: String, CodingKey {
        case headers
        case authorization
    }
}
