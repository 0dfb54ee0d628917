// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `LearnedQuantiles` of the API.
public struct LearnedQuantiles: Codable, Hashable, Sendable {
    /// One in five is below.
    public var p20: Int?
    /// The median.
    public var p50: Int
    /// One in five is above.
    public var p80: Int?
    /// What the values are about; the narrowest with at least five.
    public var of: Of
    /// How many values; after a week one counts half.
    ///
    /// Without the scope `admin` null for what was learned of downloads of all apps, whose
    /// quantiles are rounded to one digit.
    public var samples: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        p50: Int,
        of: Of,
        p20: Int? = nil,
        p80: Int? = nil,
        samples: Int? = nil
    ) {
        self.p20 = p20
        self.p50 = p50
        self.p80 = p80
        self.of = of
        self.samples = samples
    }

    private enum CodingKeys: String, CodingKey {
        case p20
        case p50
        case p80
        case of
        case samples
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.p20, forKey: .p20)
        try members.encode(self.p50, forKey: .p50)
        try members.encodeIfPresent(self.p80, forKey: .p80)
        try members.encode(self.of, forKey: .of)
        try members.encode(self.samples, forKey: .samples)
    }

    /// What the values are about; the narrowest with at least five.
    public struct Of: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `origin_and_time_of_day`.
        public static let originAndTimeOfDay = Of(rawValue: "origin_and_time_of_day")

        /// `session_and_origin`.
        public static let sessionAndOrigin = Of(rawValue: "session_and_origin")

        /// `origin`.
        public static let origin = Of(rawValue: "origin")

        /// `session`.
        public static let session = Of(rawValue: "session")

        /// `everything`.
        public static let everything = Of(rawValue: "everything")
    }
}
