// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A session with what it has.
@dynamicMemberLookup
public struct Session: Codable, Hashable, Sendable {
    /// The members that it shares with `SessionSummary`; they can be read as its own.
    public var summary: SessionSummary
    /// Downloads by their states, the 10,000 newest of each at most.
    public var counts: [String: Int]
    /// Whether all were counted.
    public var countsAreComplete: Bool
    /// Bytes that these downloads have brought.
    public var bytes: Int
    /// What happens at the moment.
    public var activity: Activity
    /// How the client is woken.
    public var wake: WakeStatus
    /// The sources that `force_quit` or the end of the session suspended with this request.
    public var suspendedSources: [String]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        summary: SessionSummary,
        counts: [String: Int],
        countsAreComplete: Bool,
        bytes: Int,
        activity: Activity,
        wake: WakeStatus,
        suspendedSources: [String]? = nil
    ) {
        self.summary = summary
        self.counts = counts
        self.countsAreComplete = countsAreComplete
        self.bytes = bytes
        self.activity = activity
        self.wake = wake
        self.suspendedSources = suspendedSources
    }

    private enum CodingKeys: String, CodingKey {
        case counts
        case countsAreComplete = "counts_are_complete"
        case bytes
        case activity
        case wake
        case suspendedSources = "suspended_sources"
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        summary = try SessionSummary(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.counts = try members.decode([String: Int].self, forKey: .counts)
        self.countsAreComplete = try members.decode(Bool.self, forKey: .countsAreComplete)
        self.bytes = try members.decode(Int.self, forKey: .bytes)
        self.activity = try members.decode(Activity.self, forKey: .activity)
        self.wake = try members.decode(WakeStatus.self, forKey: .wake)
        self.suspendedSources = try members.decodeIfPresent([String].self, forKey: .suspendedSources)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.counts, forKey: .counts)
        try members.encode(self.countsAreComplete, forKey: .countsAreComplete)
        try members.encode(self.bytes, forKey: .bytes)
        try members.encode(self.activity, forKey: .activity)
        try members.encode(self.wake, forKey: .wake)
        try members.encodeIfPresent(self.suspendedSources, forKey: .suspendedSources)
    }

    /// Reads a member of `summary`.
    public subscript<Value>(dynamicMember path: KeyPath<SessionSummary, Value>) -> Value {
        summary[keyPath: path]
    }

    /// What happens at the moment.
    public struct Activity: Codable, Hashable, Sendable {
        /// `active_transfers` of the API.
        public var activeTransfers: Int
        /// `bytes_per_second` of the API.
        public var bytesPerSecond: Int
        /// `last_created_at` of the API.
        public var lastCreatedAt: Date?

        /// Makes one of its members; those that are left out are nil.
        public init(
            activeTransfers: Int,
            bytesPerSecond: Int,
            lastCreatedAt: Date? = nil
        ) {
            self.activeTransfers = activeTransfers
            self.bytesPerSecond = bytesPerSecond
            self.lastCreatedAt = lastCreatedAt
        }

        private enum CodingKeys: String, CodingKey {
            case activeTransfers = "active_transfers"
            case bytesPerSecond = "bytes_per_second"
            case lastCreatedAt = "last_created_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.activeTransfers, forKey: .activeTransfers)
            try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
            try members.encode(self.lastCreatedAt, forKey: .lastCreatedAt)
        }
    }
}
