// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Overview` of the API.
public struct Overview: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var asOf: Date
    /// How many are in each state.
    public var states: [String: Int]
    /// Whether `succeeded`, `failed` and `canceled` count all that ended, and not the last 10,000
    /// alone.
    public var statesAreComplete: Bool
    /// How many are in each state.
    public var uploads: [String: Int]?
    /// Of all running downloads and uploads of the app.
    public var bytesPerSecond: Int
    /// `slots` of the API.
    public var slots: Slots
    /// The volume of the data directory of the replica that answers; null before it was read.
    public var room: VolumeRoom?
    /// `oldest_waiting_since` of the API.
    public var oldestWaitingSince: Date?
    /// Waiting downloads by the first reason why each waits, the most first.
    public var blockers: [Blockers]
    /// Whether each waiting download is counted there; at most 10,000 are.
    public var blockersAreComplete: Bool
    /// The failures of the last 24 hours, by code and origin, the most first.
    public var failures: [Failures]
    /// The downloads and uploads that need their client.
    public var attention: [Attention]

    /// Makes one of its members; those that are left out are nil.
    public init(
        asOf: Date,
        states: [String: Int],
        statesAreComplete: Bool,
        bytesPerSecond: Int,
        slots: Slots,
        blockers: [Blockers],
        blockersAreComplete: Bool,
        failures: [Failures],
        attention: [Attention],
        uploads: [String: Int]? = nil,
        room: VolumeRoom? = nil,
        oldestWaitingSince: Date? = nil
    ) {
        self.asOf = asOf
        self.states = states
        self.statesAreComplete = statesAreComplete
        self.uploads = uploads
        self.bytesPerSecond = bytesPerSecond
        self.slots = slots
        self.room = room
        self.oldestWaitingSince = oldestWaitingSince
        self.blockers = blockers
        self.blockersAreComplete = blockersAreComplete
        self.failures = failures
        self.attention = attention
    }

    private enum CodingKeys: String, CodingKey {
        case asOf = "as_of"
        case states
        case statesAreComplete = "states_are_complete"
        case uploads
        case bytesPerSecond = "bytes_per_second"
        case slots
        case room
        case oldestWaitingSince = "oldest_waiting_since"
        case blockers
        case blockersAreComplete = "blockers_are_complete"
        case failures
        case attention
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.asOf, forKey: .asOf)
        try members.encode(self.states, forKey: .states)
        try members.encode(self.statesAreComplete, forKey: .statesAreComplete)
        try members.encodeIfPresent(self.uploads, forKey: .uploads)
        try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
        try members.encode(self.slots, forKey: .slots)
        try members.encode(self.room, forKey: .room)
        try members.encode(self.oldestWaitingSince, forKey: .oldestWaitingSince)
        try members.encode(self.blockers, forKey: .blockers)
        try members.encode(self.blockersAreComplete, forKey: .blockersAreComplete)
        try members.encode(self.failures, forKey: .failures)
        try members.encode(self.attention, forKey: .attention)
    }

    /// `Slots` of the API.
    public struct Slots: Codable, Hashable, Sendable {
        /// How many may run at once in all; null without a limit.
        public var limit: Int?
        /// How many of the app run; with the scope `admin` those of all apps.
        public var running: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            running: Int,
            limit: Int? = nil
        ) {
            self.limit = limit
            self.running = running
        }

        private enum CodingKeys: String, CodingKey {
            case limit
            case running
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.limit, forKey: .limit)
            try members.encode(self.running, forKey: .running)
        }
    }

    /// `Blockers` of the API.
    public struct Blockers: Codable, Hashable, Sendable {
        /// `code` of the API.
        public var code: String
        /// `rule` of the API.
        public var rule: String?
        /// `until` of the API.
        public var until: Date?
        /// `count` of the API.
        public var count: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            code: String,
            count: Int,
            rule: String? = nil,
            until: Date? = nil
        ) {
            self.code = code
            self.rule = rule
            self.until = until
            self.count = count
        }

        private enum CodingKeys: String, CodingKey {
            case code
            case rule
            case until
            case count
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.code, forKey: .code)
            try members.encode(self.rule, forKey: .rule)
            try members.encode(self.until, forKey: .until)
            try members.encode(self.count, forKey: .count)
        }
    }

    /// `Failures` of the API.
    public struct Failures: Codable, Hashable, Sendable {
        /// `code` of the API.
        public var code: String?
        /// `origin` of the API.
        public var origin: String?
        /// `count` of the API.
        public var count: Int
        /// The download that failed last.
        public var id: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            count: Int,
            id: String,
            code: String? = nil,
            origin: String? = nil
        ) {
            self.code = code
            self.origin = origin
            self.count = count
            self.id = id
        }

        private enum CodingKeys: String, CodingKey {
            case code
            case origin
            case count
            case id
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.code, forKey: .code)
            try members.encode(self.origin, forKey: .origin)
            try members.encode(self.count, forKey: .count)
            try members.encode(self.id, forKey: .id)
        }
    }

    /// `Attention` of the API.
    public struct Attention: Codable, Hashable, Sendable {
        /// `id` of the API.
        public var id: String
        /// `name` of the API.
        public var name: String
        /// `session` of the API.
        public var session: String
        /// `error_code` of the API.
        public var errorCode: String?
        /// RFC 3339 in UTC with milliseconds.
        public var since: Date
        /// `detail` of the API.
        public var detail: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            id: String,
            name: String,
            session: String,
            since: Date,
            errorCode: String? = nil,
            detail: String? = nil
        ) {
            self.id = id
            self.name = name
            self.session = session
            self.errorCode = errorCode
            self.since = since
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case name
            case session
            case errorCode = "error_code"
            case since
            case detail
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.id, forKey: .id)
            try members.encode(self.name, forKey: .name)
            try members.encode(self.session, forKey: .session)
            try members.encode(self.errorCode, forKey: .errorCode)
            try members.encode(self.since, forKey: .since)
            try members.encode(self.detail, forKey: .detail)
        }
    }
}
