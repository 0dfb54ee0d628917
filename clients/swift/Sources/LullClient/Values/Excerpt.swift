// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The beginning of a body, with the way in which its bytes are written.
public struct Excerpt: Codable, Hashable, Sendable {
    /// `encoding` of the API.
    public var encoding: Encoding
    /// `text` of the API.
    public var text: String
    /// `is_cut` of the API.
    public var isCut: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        encoding: Encoding,
        text: String,
        isCut: Bool
    ) {
        self.encoding = encoding
        self.text = text
        self.isCut = isCut
    }

    private enum CodingKeys: String, CodingKey {
        case encoding
        case text
        case isCut = "is_cut"
    }

    /// `Encoding` of the API.
    public struct Encoding: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `utf-8`.
        public static let utf8 = Encoding(rawValue: "utf-8")

        /// `base64`.
        public static let base64 = Encoding(rawValue: "base64")
    }
}
