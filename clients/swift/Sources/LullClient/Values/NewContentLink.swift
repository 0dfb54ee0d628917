// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `NewContentLink` of the API.
public struct NewContentLink: Codable, Hashable, Sendable {
    /// How long the link opens the content, in seconds.
    public var ttlSeconds: Int?
    /// Whether a browser saves the content, or shows it.
    public var disposition: Disposition?

    /// Makes one of its members; those that are left out are nil.
    public init(
        ttlSeconds: Int? = nil,
        disposition: Disposition? = nil
    ) {
        self.ttlSeconds = ttlSeconds
        self.disposition = disposition
    }

    private enum CodingKeys: String, CodingKey {
        case ttlSeconds = "ttl_seconds"
        case disposition
    }

    /// Whether a browser saves the content, or shows it.
    public struct Disposition: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `attachment`.
        public static let attachment = Disposition(rawValue: "attachment")

        /// `inline`.
        public static let inline = Disposition(rawValue: "inline")
    }
}
