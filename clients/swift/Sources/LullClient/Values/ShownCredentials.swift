// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How a receiver is given to know who sends, without the secret.
public struct ShownCredentials: Codable, Hashable, Sendable {
    /// `type` of the API.
    public var type: Kind

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: Kind
    ) {
        self.type = type
    }

    private enum CodingKeys: String, CodingKey {
        case type
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
