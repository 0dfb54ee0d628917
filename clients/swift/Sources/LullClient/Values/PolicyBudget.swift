// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Bytes that may be transferred in a period.
public struct PolicyBudget: Codable, Hashable, Sendable {
    /// Its name, which blockers show.
    public var name: String
    /// The downloads that it counts.
    public var match: PolicyMatch?
    /// The bytes of one period.
    public var bytes: JSONValue
    /// The period, by the clock of the zone; a week begins on Monday.
    public var per: Per
    /// The level that has a counter of its own.
    public var scope: Scope
    /// The bytes that it counts; both by default.
    public var counts: Counts?
    /// Whether running downloads stop when it is used up.
    public var hard: Bool?
    /// Even: the used part of it never exceeds the part of the period that has passed.
    public var pace: Pace?

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        bytes: JSONValue,
        per: Per,
        scope: Scope,
        match: PolicyMatch? = nil,
        counts: Counts? = nil,
        hard: Bool? = nil,
        pace: Pace? = nil
    ) {
        self.name = name
        self.match = match
        self.bytes = bytes
        self.per = per
        self.scope = scope
        self.counts = counts
        self.hard = hard
        self.pace = pace
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case match
        case bytes
        case per
        case scope
        case counts
        case hard
        case pace
    }

    /// The period, by the clock of the zone; a week begins on Monday.
    public struct Per: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `hour`.
        public static let hour = Per(rawValue: "hour")

        /// `day`.
        public static let day = Per(rawValue: "day")

        /// `week`.
        public static let week = Per(rawValue: "week")

        /// `month`.
        public static let month = Per(rawValue: "month")
    }

    /// The level that has a counter of its own.
    public struct Scope: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `deployment`.
        public static let deployment = Scope(rawValue: "deployment")

        /// `app`.
        public static let app = Scope(rawValue: "app")

        /// `session`.
        public static let session = Scope(rawValue: "session")

        /// `origin`.
        public static let origin = Scope(rawValue: "origin")
    }

    /// The bytes that it counts; both by default.
    public struct Counts: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `received`.
        public static let received = Counts(rawValue: "received")

        /// `sent`.
        public static let sent = Counts(rawValue: "sent")

        /// `both`.
        public static let both = Counts(rawValue: "both")
    }

    /// Even: the used part of it never exceeds the part of the period that has passed.
    public struct Pace: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `even`.
        public static let even = Pace(rawValue: "even")
    }
}
