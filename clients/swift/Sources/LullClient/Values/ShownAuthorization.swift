// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How the request is authorized, without the secret.
public struct ShownAuthorization: Codable, Hashable, Sendable {
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

        /// `digest`.
        public static let digest = Kind(rawValue: "digest")

        /// `aws_sigv4`.
        public static let awsSigv4 = Kind(rawValue: "aws_sigv4")
    }
}
