// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The `url` of the proxy without credentials, or the `mode` `none`.
public struct ShownProxy: Codable, Hashable, Sendable {
    /// Where it listens.
    public var url: String?
    /// `mode` of the API.
    public var mode: Mode?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        mode: Mode? = nil
    ) {
        self.url = url
        self.mode = mode
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case mode
    }

    /// `Mode` of the API.
    public struct Mode: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `none`.
        public static let none = Mode(rawValue: "none")
    }
}
