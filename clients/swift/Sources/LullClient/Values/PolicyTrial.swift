// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `PolicyTrial` of the API.
public struct PolicyTrial: Codable, Hashable, Sendable {
    /// What there is to say about a policy document that is taken.
    public var findings: [PolicyTrialFindings]
    /// How many waiting downloads were judged.
    public var judged: Int
    /// Whether all that wait were judged.
    public var isWhole: Bool
    /// `counts` of the API.
    public var counts: Counts
    /// The first hundred.
    public var changes: [Changes]

    /// Makes one of its members; those that are left out are nil.
    public init(
        findings: [PolicyTrialFindings],
        judged: Int,
        isWhole: Bool,
        counts: Counts,
        changes: [Changes]
    ) {
        self.findings = findings
        self.judged = judged
        self.isWhole = isWhole
        self.counts = counts
        self.changes = changes
    }

    private enum CodingKeys: String, CodingKey {
        case findings
        case judged
        case isWhole = "is_whole"
        case counts
        case changes
    }

    /// `PolicyTrialFindings` of the API.
    public struct PolicyTrialFindings: Codable, Hashable, Sendable {
        /// `pointer` of the API.
        public var pointer: String
        /// `no_effect`: this part of it changes nothing.
        public var level: Level
        /// `detail` of the API.
        public var detail: String
        /// `did_you_mean` of the API.
        public var didYouMean: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            pointer: String,
            level: Level,
            detail: String,
            didYouMean: String? = nil
        ) {
            self.pointer = pointer
            self.level = level
            self.detail = detail
            self.didYouMean = didYouMean
        }

        private enum CodingKeys: String, CodingKey {
            case pointer
            case level
            case detail
            case didYouMean = "did_you_mean"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.pointer, forKey: .pointer)
            try members.encode(self.level, forKey: .level)
            try members.encode(self.detail, forKey: .detail)
            try members.encode(self.didYouMean, forKey: .didYouMean)
        }

        /// `no_effect`: this part of it changes nothing.
        public struct Level: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `warning`.
            public static let warning = Level(rawValue: "warning")

            /// `no_effect`.
            public static let noEffect = Level(rawValue: "no_effect")
        }
    }

    /// `Counts` of the API.
    public struct Counts: Codable, Hashable, Sendable {
        /// `sooner` of the API.
        public var sooner: Int
        /// `later` of the API.
        public var later: Int
        /// At the same time for other reasons.
        public var otherwise: Int
        /// `unchanged` of the API.
        public var unchanged: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            sooner: Int,
            later: Int,
            otherwise: Int,
            unchanged: Int
        ) {
            self.sooner = sooner
            self.later = later
            self.otherwise = otherwise
            self.unchanged = unchanged
        }

        private enum CodingKeys: String, CodingKey {
            case sooner
            case later
            case otherwise
            case unchanged
        }
    }

    /// `Changes` of the API.
    public struct Changes: Codable, Hashable, Sendable {
        /// `id` of the API.
        public var id: String
        /// `before` of the API.
        public var before: TrialSide
        /// `after` of the API.
        public var after: TrialSide

        /// Makes one of its members; those that are left out are nil.
        public init(
            id: String,
            before: TrialSide,
            after: TrialSide
        ) {
            self.id = id
            self.before = before
            self.after = after
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case before
            case after
        }
    }
}
