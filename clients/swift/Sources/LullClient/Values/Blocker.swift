// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// One thing that holds a waiting download back.
public struct Blocker: Codable, Hashable, Sendable {
    /// Which.
    public var code: Code
    /// One plain sentence.
    public var detail: String
    /// RFC 3339 in UTC with milliseconds.
    public var since: Date
    /// When it ends; null if that is not known.
    public var until: Date?
    /// The rule or the budget of the policy that it follows from.
    public var rule: String?
    /// Whether it ceases to hold as the download's time passes.
    public var isSoft: Bool
    /// When a soft one ceases to hold, if that comes before what it waits for.
    public var waivedAt: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        code: Code,
        detail: String,
        since: Date,
        isSoft: Bool,
        until: Date? = nil,
        rule: String? = nil,
        waivedAt: Date? = nil
    ) {
        self.code = code
        self.detail = detail
        self.since = since
        self.until = until
        self.rule = rule
        self.isSoft = isSoft
        self.waivedAt = waivedAt
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case detail
        case since
        case until
        case rule
        case isSoft = "is_soft"
        case waivedAt = "waived_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.code, forKey: .code)
        try members.encode(self.detail, forKey: .detail)
        try members.encode(self.since, forKey: .since)
        try members.encode(self.until, forKey: .until)
        try members.encode(self.rule, forKey: .rule)
        try members.encode(self.isSoft, forKey: .isSoft)
        try members.encode(self.waivedAt, forKey: .waivedAt)
    }

    /// Which.
    public struct Code: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `earliest_begin_date`.
        public static let earliestBeginDate = Code(rawValue: "earliest_begin_date")

        /// `wake_delay`.
        public static let wakeDelay = Code(rawValue: "wake_delay")

        /// `awaiting_content`.
        public static let awaitingContent = Code(rawValue: "awaiting_content")

        /// `window`.
        public static let window = Code(rawValue: "window")

        /// `condition`.
        public static let condition = Code(rawValue: "condition")

        /// `closing_window`.
        public static let closingWindow = Code(rawValue: "closing_window")

        /// `preferred_time`.
        public static let preferredTime = Code(rawValue: "preferred_time")

        /// `session_suspended`.
        public static let sessionSuspended = Code(rawValue: "session_suspended")

        /// `session_limit`.
        public static let sessionLimit = Code(rawValue: "session_limit")

        /// `bandwidth_zero`.
        public static let bandwidthZero = Code(rawValue: "bandwidth_zero")

        /// `budget`.
        public static let budget = Code(rawValue: "budget")

        /// `origin_limit`.
        public static let originLimit = Code(rawValue: "origin_limit")

        /// `app_limit`.
        public static let appLimit = Code(rawValue: "app_limit")

        /// `connection_limit`.
        public static let connectionLimit = Code(rawValue: "connection_limit")

        /// `slots`.
        public static let slots = Code(rawValue: "slots")

        /// `retry_backoff`.
        public static let retryBackoff = Code(rawValue: "retry_backoff")

        /// `origin_pushback`.
        public static let originPushback = Code(rawValue: "origin_pushback")

        /// `dependency`.
        public static let dependency = Code(rawValue: "dependency")

        /// `origin_unreachable`.
        public static let originUnreachable = Code(rawValue: "origin_unreachable")

        /// `replica_away`.
        public static let replicaAway = Code(rawValue: "replica_away")

        /// `connectivity`.
        public static let connectivity = Code(rawValue: "connectivity")

        /// `begin_hook`.
        public static let beginHook = Code(rawValue: "begin_hook")

        /// `disk_reserve`.
        public static let diskReserve = Code(rawValue: "disk_reserve")

        /// `draining`.
        public static let draining = Code(rawValue: "draining")
    }
}
