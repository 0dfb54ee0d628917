// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A name and its password.
public struct PasswordAuthorization: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: Kind
    /// `username` of the API.
    public var username: String
    /// `password` of the API.
    public var password: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: Kind,
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

        /// `digest`.
        public static let digest = Kind(rawValue: "digest")
    }
}
