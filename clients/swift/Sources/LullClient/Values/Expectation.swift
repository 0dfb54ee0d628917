// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `Expectation` of the API.
public struct Expectation: Codable, Hashable, Sendable {
    /// Null where nothing is known.
    public var begin: InstantQuantiles?
    /// `end` of the API.
    public var end: InstantMedian?
    /// How often ranges with about the same lead held what came of late:
    ///
    /// `high` from 75 % on, `medium` from 60 % on, else `low`; `unknown` where too little was
    /// measured, null without a range.
    public var confidence: Confidence?
    /// The share of simulated futures in which it is complete in time; null without a deadline.
    public var meetsDeadline: Double?

    /// Makes one of its members; those that are left out are nil.
    public init(
        begin: InstantQuantiles? = nil,
        end: InstantMedian? = nil,
        confidence: Confidence? = nil,
        meetsDeadline: Double? = nil
    ) {
        self.begin = begin
        self.end = end
        self.confidence = confidence
        self.meetsDeadline = meetsDeadline
    }

    private enum CodingKeys: String, CodingKey {
        case begin
        case end
        case confidence
        case meetsDeadline = "meets_deadline"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.begin, forKey: .begin)
        try members.encode(self.end, forKey: .end)
        try members.encode(self.confidence, forKey: .confidence)
        try members.encode(self.meetsDeadline, forKey: .meetsDeadline)
    }

    /// How often ranges with about the same lead held what came of late:
    ///
    /// `high` from 75 % on, `medium` from 60 % on, else `low`; `unknown` where too little was
    /// measured, null without a range.
    public struct Confidence: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `high`.
        public static let high = Confidence(rawValue: "high")

        /// `medium`.
        public static let medium = Confidence(rawValue: "medium")

        /// `low`.
        public static let low = Confidence(rawValue: "low")

        /// `unknown`.
        public static let unknown = Confidence(rawValue: "unknown")
    }
}
