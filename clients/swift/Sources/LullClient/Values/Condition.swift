// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Condition` of the API.
public struct Condition: Codable, Hashable, Sendable {
    /// `name` of the API.
    public var name: String
    /// Null if none is declared.
    public var type: Kind?
    /// `unit` of the API.
    public var unit: String?
    /// What counts now.
    public var value: JSONValue?
    /// Whether the value is not the default.
    public var isKnown: Bool
    /// Whether each replica measures it for itself.
    public var isMeasured: Bool
    /// `default` of the API.
    public var `default`: JSONValue?
    /// `source` of the API.
    public var source: String?
    /// `pushed_at` of the API.
    public var pushedAt: Date?
    /// `expires_at` of the API.
    public var expiresAt: Date?
    /// `schedule` of the API.
    public var schedule: [ConditionStep]
    /// The rules that name it.
    public var usedBy: [String]
    /// The value of a measured condition on each replica, by its number.
    public var replicas: [Replicas]?
    /// `history` of the API.
    public var history: [History]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        isKnown: Bool,
        isMeasured: Bool,
        schedule: [ConditionStep],
        usedBy: [String],
        type: Kind? = nil,
        unit: String? = nil,
        value: JSONValue? = nil,
        default: JSONValue? = nil,
        source: String? = nil,
        pushedAt: Date? = nil,
        expiresAt: Date? = nil,
        replicas: [Replicas]? = nil,
        history: [History]? = nil
    ) {
        self.name = name
        self.type = type
        self.unit = unit
        self.value = value
        self.isKnown = isKnown
        self.isMeasured = isMeasured
        self.default = `default`
        self.source = source
        self.pushedAt = pushedAt
        self.expiresAt = expiresAt
        self.schedule = schedule
        self.usedBy = usedBy
        self.replicas = replicas
        self.history = history
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case type
        case unit
        case value
        case isKnown = "is_known"
        case isMeasured = "is_measured"
        case `default`
        case source
        case pushedAt = "pushed_at"
        case expiresAt = "expires_at"
        case schedule
        case usedBy = "used_by"
        case replicas
        case history
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.name, forKey: .name)
        try members.encode(self.type, forKey: .type)
        try members.encode(self.unit, forKey: .unit)
        try members.encode(self.value, forKey: .value)
        try members.encode(self.isKnown, forKey: .isKnown)
        try members.encode(self.isMeasured, forKey: .isMeasured)
        try members.encode(self.default, forKey: .default)
        try members.encode(self.source, forKey: .source)
        try members.encode(self.pushedAt, forKey: .pushedAt)
        try members.encode(self.expiresAt, forKey: .expiresAt)
        try members.encode(self.schedule, forKey: .schedule)
        try members.encode(self.usedBy, forKey: .usedBy)
        try members.encodeIfPresent(self.replicas, forKey: .replicas)
        try members.encodeIfPresent(self.history, forKey: .history)
    }

    /// Null if none is declared.
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

    /// `Replicas` of the API.
    public struct Replicas: Codable, Hashable, Sendable {
        /// The number of its data directory; 0 before it is known.
        public var replica: Int
        /// The machine's name.
        public var node: String
        /// `value` of the API.
        public var value: JSONValue?
        /// Whether it can be read there.
        public var isKnown: Bool
        /// `since` of the API.
        public var since: Date?
        /// RFC 3339 in UTC with milliseconds.
        public var measuredAt: Date

        /// Makes one of its members; those that are left out are nil.
        public init(
            replica: Int,
            node: String,
            isKnown: Bool,
            measuredAt: Date,
            value: JSONValue? = nil,
            since: Date? = nil
        ) {
            self.replica = replica
            self.node = node
            self.value = value
            self.isKnown = isKnown
            self.since = since
            self.measuredAt = measuredAt
        }

        private enum CodingKeys: String, CodingKey {
            case replica
            case node
            case value
            case isKnown = "is_known"
            case since
            case measuredAt = "measured_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.replica, forKey: .replica)
            try members.encode(self.node, forKey: .node)
            try members.encode(self.value, forKey: .value)
            try members.encode(self.isKnown, forKey: .isKnown)
            try members.encode(self.since, forKey: .since)
            try members.encode(self.measuredAt, forKey: .measuredAt)
        }
    }

    /// `History` of the API.
    public struct History: Codable, Hashable, Sendable {
        /// Null for a removal.
        public var value: JSONValue?
        /// `source` of the API.
        public var source: String?
        /// RFC 3339 in UTC with milliseconds.
        public var changedAt: Date

        /// Makes one of its members; those that are left out are nil.
        public init(
            changedAt: Date,
            value: JSONValue? = nil,
            source: String? = nil
        ) {
            self.value = value
            self.source = source
            self.changedAt = changedAt
        }

        private enum CodingKeys: String, CodingKey {
            case value
            case source
            case changedAt = "changed_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.value, forKey: .value)
            try members.encode(self.source, forKey: .source)
            try members.encode(self.changedAt, forKey: .changedAt)
        }
    }
}
