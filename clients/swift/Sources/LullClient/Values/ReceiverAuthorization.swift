// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
public struct ReceiverAuthorization: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: Kind
    /// `username` of the API.
    public var username: String?
    /// `password` of the API.
    public var password: String?
    /// `token` of the API.
    public var token: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: Kind,
        username: String? = nil,
        password: String? = nil,
        token: String? = nil
    ) {
        self.type = type
        self.username = username
        self.password = password
        self.token = token
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case username
        case password
        case token
    }

    /// `Kind` of the API.
    public struct Kind: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `basic`.
        public static let basic = Kind(rawValue: "basic")

        /// `bearer`.
        public static let bearer = Kind(rawValue: "bearer")
    }
}
