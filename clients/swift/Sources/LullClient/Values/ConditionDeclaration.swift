// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What a condition is that is pushed.
public struct ConditionDeclaration: Codable, Hashable, Sendable {
    /// The type of its values.
    public var type: Kind
    /// The unit of a number, shown in sentences.
    public var unit: String?
    /// The values of a condition of type word.
    public var words: [String]?
    /// The value that counts if none was pushed, or the pushed one is older than its ttl; without a
    /// default no requirement on such a value is met.
    public var `default`: JSONValue?
    /// How long a pushed value counts; without it, until the next push.
    public var ttl: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        type: Kind,
        unit: String? = nil,
        words: [String]? = nil,
        default: JSONValue? = nil,
        ttl: String? = nil
    ) {
        self.type = type
        self.unit = unit
        self.words = words
        self.default = `default`
        self.ttl = ttl
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case unit
        case words
        case `default`
        case ttl
    }

    /// The type of its values.
    public struct Kind: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `number`.
        public static let number = Kind(rawValue: "number")

        /// `word`.
        public static let word = Kind(rawValue: "word")

        /// `boolean`.
        public static let boolean = Kind(rawValue: "boolean")
    }
}
