// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Keys of AWS Signature Version 4.
public struct SignedAuthorization: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: String
    /// `access_key_id` of the API.
    public var accessKeyID: String
    /// `secret_access_key` of the API.
    public var secretAccessKey: String
    /// Of temporary keys.
    public var sessionToken: String?
    /// `region` of the API.
    public var region: String
    /// `service` of the API.
    public var service: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: String,
        accessKeyID: String,
        secretAccessKey: String,
        region: String,
        sessionToken: String? = nil,
        service: String? = nil
    ) {
        self.type = type
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case accessKeyID = "access_key_id"
        case secretAccessKey = "secret_access_key"
        case sessionToken = "session_token"
        case region
        case service
    }
}
