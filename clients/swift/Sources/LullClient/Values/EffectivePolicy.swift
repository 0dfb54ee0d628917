// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// What holds for an app's downloads, of the deployment's policy and of its own.
public struct EffectivePolicy: Codable, Hashable, Sendable {
    /// `time_zone` of the API.
    public var timeZone: String
    /// `rules` of the API.
    public var rules: [Rules]
    /// Those of sessions and origins for which no pattern is narrower.
    public var limits: Limits
    /// `budgets` of the API.
    public var budgets: [Budgets]

    /// Makes one of its members; those that are left out are nil.
    public init(
        timeZone: String,
        rules: [Rules],
        limits: Limits,
        budgets: [Budgets]
    ) {
        self.timeZone = timeZone
        self.rules = rules
        self.limits = limits
        self.budgets = budgets
    }

    private enum CodingKeys: String, CodingKey {
        case timeZone = "time_zone"
        case rules
        case limits
        case budgets
    }

    /// `Rules` of the API.
    public struct Rules: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `is_soft` of the API.
        public var isSoft: Bool
        /// `from` of the API.
        public var from: From

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            isSoft: Bool,
            from: From
        ) {
            self.name = name
            self.isSoft = isSoft
            self.from = from
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case isSoft = "is_soft"
            case from
        }

        /// `From` of the API.
        public struct From: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `deployment`.
            public static let deployment = From(rawValue: "deployment")

            /// `app`.
            public static let app = From(rawValue: "app")
        }
    }

    /// Those of sessions and origins for which no pattern is narrower.
    public struct Limits: Codable, Hashable, Sendable {
        /// `per_app` of the API.
        public var perApp: Int?
        /// `per_session` of the API.
        public var perSession: Int?
        /// `per_origin` of the API.
        public var perOrigin: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            perOrigin: Int,
            perApp: Int? = nil,
            perSession: Int? = nil
        ) {
            self.perApp = perApp
            self.perSession = perSession
            self.perOrigin = perOrigin
        }

        private enum CodingKeys: String, CodingKey {
            case perApp = "per_app"
            case perSession = "per_session"
            case perOrigin = "per_origin"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.perApp, forKey: .perApp)
            try members.encode(self.perSession, forKey: .perSession)
            try members.encode(self.perOrigin, forKey: .perOrigin)
        }
    }

    /// `Budgets` of the API.
    public struct Budgets: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `bytes` of the API.
        public var bytes: Int
        /// `per` of the API.
        public var per: Per
        /// `scope` of the API.
        public var scope: Scope
        /// `is_hard` of the API.
        public var isHard: Bool
        /// `from` of the API.
        public var from: From

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            bytes: Int,
            per: Per,
            scope: Scope,
            isHard: Bool,
            from: From
        ) {
            self.name = name
            self.bytes = bytes
            self.per = per
            self.scope = scope
            self.isHard = isHard
            self.from = from
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case bytes
            case per
            case scope
            case isHard = "is_hard"
            case from
        }

        /// `Per` of the API.
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

        /// `Scope` of the API.
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

        /// `From` of the API.
        public struct From: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `deployment`.
            public static let deployment = From(rawValue: "deployment")

            /// `app`.
            public static let app = From(rawValue: "app")
        }
    }
}
