// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Source` of the API.
public struct Source: Codable, Hashable, Sendable {
    /// Your name for a session, unique among yours.
    public var identifier: String
    /// Rises with each change of the document.
    public var version: Int
    /// `attention_required` after ten failed looks in a row, or an answer 410: then it looks once a
    /// day, until a look succeeds.
    public var state: State
    /// `url` of the API.
    public var url: String
    /// `kind` of the API.
    public var kind: Kind
    /// Of a feed; so are `key`, `first`, `spacing` and `items`, which a file has not.
    public var select: ItemSelect?
    /// `key` of the API.
    public var key: SourceKey?
    /// `first` of the API.
    public var first: First?
    /// `spacing` of the API.
    public var spacing: String?
    /// How many items were queued so far.
    public var items: Int?
    /// When a source is looked at:
    ///
    /// `every` or `cron`. With `every`, at once and then once in each interval; with `cron`, at
    /// each of its instants on the clock of `time_zone`. If the hour field is `*`, the clock is
    /// followed as it goes. Otherwise a time that does not exist when clocks are put forward comes
    /// once at the end of the gap, and one that exists twice comes the first time.
    public var schedule: LookSchedule
    /// `overlap` of the API.
    public var overlap: Overlap
    /// `catch_up` of the API.
    public var catchUp: CatchUp
    /// `catch_up_window` of the API.
    public var catchUpWindow: String
    /// The members of the downloads; values of secrets are `redacted`.
    public var template: NewDownload
    /// `keep` of the API.
    public var keep: SourceKeep?
    /// `notify` of the API.
    public var notify: Notify?
    /// `next_look_at` of the API.
    public var nextLookAt: Date?
    /// The time between the next look and the one behind it, and its reason; null if there is none.
    public var interval: Interval?
    /// Failed looks since the last one that succeeded.
    public var failures: Int
    /// The latest version; null before the first, and for a feed.
    public var latest: Latest?
    /// Null before the first one, and in lists.
    public var lastLook: Look?
    /// RFC 3339 in UTC with milliseconds.
    public var createdAt: Date
    /// RFC 3339 in UTC with milliseconds.
    public var updatedAt: Date
    /// After a change, the secrets that were given for another origin and are gone.
    public var dropped: [String]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        identifier: String,
        version: Int,
        state: State,
        url: String,
        kind: Kind,
        schedule: LookSchedule,
        overlap: Overlap,
        catchUp: CatchUp,
        catchUpWindow: String,
        template: NewDownload,
        failures: Int,
        createdAt: Date,
        updatedAt: Date,
        select: ItemSelect? = nil,
        key: SourceKey? = nil,
        first: First? = nil,
        spacing: String? = nil,
        items: Int? = nil,
        keep: SourceKeep? = nil,
        notify: Notify? = nil,
        nextLookAt: Date? = nil,
        interval: Interval? = nil,
        latest: Latest? = nil,
        lastLook: Look? = nil,
        dropped: [String]? = nil
    ) {
        self.identifier = identifier
        self.version = version
        self.state = state
        self.url = url
        self.kind = kind
        self.select = select
        self.key = key
        self.first = first
        self.spacing = spacing
        self.items = items
        self.schedule = schedule
        self.overlap = overlap
        self.catchUp = catchUp
        self.catchUpWindow = catchUpWindow
        self.template = template
        self.keep = keep
        self.notify = notify
        self.nextLookAt = nextLookAt
        self.interval = interval
        self.failures = failures
        self.latest = latest
        self.lastLook = lastLook
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.dropped = dropped
    }

    private enum CodingKeys: String, CodingKey {
        case identifier
        case version
        case state
        case url
        case kind
        case select
        case key
        case first
        case spacing
        case items
        case schedule
        case overlap
        case catchUp = "catch_up"
        case catchUpWindow = "catch_up_window"
        case template
        case keep
        case notify
        case nextLookAt = "next_look_at"
        case interval
        case failures
        case latest
        case lastLook = "last_look"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case dropped
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.identifier, forKey: .identifier)
        try members.encode(self.version, forKey: .version)
        try members.encode(self.state, forKey: .state)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.kind, forKey: .kind)
        try members.encodeIfPresent(self.select, forKey: .select)
        try members.encodeIfPresent(self.key, forKey: .key)
        try members.encodeIfPresent(self.first, forKey: .first)
        try members.encodeIfPresent(self.spacing, forKey: .spacing)
        try members.encodeIfPresent(self.items, forKey: .items)
        try members.encode(self.schedule, forKey: .schedule)
        try members.encode(self.overlap, forKey: .overlap)
        try members.encode(self.catchUp, forKey: .catchUp)
        try members.encode(self.catchUpWindow, forKey: .catchUpWindow)
        try members.encode(self.template, forKey: .template)
        try members.encode(self.keep, forKey: .keep)
        try members.encode(self.notify, forKey: .notify)
        try members.encode(self.nextLookAt, forKey: .nextLookAt)
        try members.encode(self.interval, forKey: .interval)
        try members.encode(self.failures, forKey: .failures)
        try members.encode(self.latest, forKey: .latest)
        try members.encode(self.lastLook, forKey: .lastLook)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.updatedAt, forKey: .updatedAt)
        try members.encodeIfPresent(self.dropped, forKey: .dropped)
    }

    /// `attention_required` after ten failed looks in a row, or an answer 410: then it looks once a
    /// day, until a look succeeds.
    public struct State: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `active`.
        public static let active = State(rawValue: "active")

        /// `suspended`.
        public static let suspended = State(rawValue: "suspended")

        /// `attention_required`.
        public static let attentionRequired = State(rawValue: "attention_required")
    }

    /// `Kind` of the API.
    public struct Kind: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `file`.
        public static let file = Kind(rawValue: "file")

        /// `feed`.
        public static let feed = Kind(rawValue: "feed")
    }

    /// `SourceKey` of the API.
    public struct SourceKey: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `guid`.
        public static let guid = SourceKey(rawValue: "guid")

        /// `url`.
        public static let url = SourceKey(rawValue: "url")
    }

    /// `First` of the API.
    public struct First: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `latest`.
        public static let latest = First(rawValue: "latest")

        /// `all`.
        public static let all = First(rawValue: "all")

        /// `none`.
        public static let none = First(rawValue: "none")
    }

    /// `Overlap` of the API.
    public struct Overlap: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `skip`.
        public static let skip = Overlap(rawValue: "skip")

        /// `queue_one`.
        public static let queueOne = Overlap(rawValue: "queue_one")

        /// `cancel_other`.
        public static let cancelOther = Overlap(rawValue: "cancel_other")
    }

    /// `CatchUp` of the API.
    public struct CatchUp: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `latest`.
        public static let latest = CatchUp(rawValue: "latest")

        /// `all`.
        public static let all = CatchUp(rawValue: "all")

        /// `none`.
        public static let none = CatchUp(rawValue: "none")
    }

    /// `Notify` of the API.
    public struct Notify: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `wake`.
        public static let wake = Notify(rawValue: "wake")
    }

    /// `Interval` of the API.
    public struct Interval: Codable, Hashable, Sendable {
        /// `seconds` of the API.
        public var seconds: Int
        /// `reason` of the API.
        public var reason: Reason

        /// Makes one of its members; those that are left out are nil.
        public init(
            seconds: Int,
            reason: Reason
        ) {
            self.seconds = seconds
            self.reason = reason
        }

        private enum CodingKeys: String, CodingKey {
            case seconds
            case reason
        }

        /// `Reason` of the API.
        public struct Reason: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `schedule`.
            public static let schedule = Reason(rawValue: "schedule")

            /// `learned`.
            public static let learned = Reason(rawValue: "learned")

            /// `attention_required`.
            public static let attentionRequired = Reason(rawValue: "attention_required")
        }
    }

    /// `Latest` of the API.
    public struct Latest: Codable, Hashable, Sendable {
        /// `version` of the API.
        public var version: Int
        /// `download` of the API.
        public var download: String?
        /// `sha256` of the API.
        public var sha256: String?
        /// `seen_at` of the API.
        public var seenAt: Date?

        /// Makes one of its members; those that are left out are nil.
        public init(
            version: Int,
            download: String? = nil,
            sha256: String? = nil,
            seenAt: Date? = nil
        ) {
            self.version = version
            self.download = download
            self.sha256 = sha256
            self.seenAt = seenAt
        }

        private enum CodingKeys: String, CodingKey {
            case version
            case download
            case sha256
            case seenAt = "seen_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.version, forKey: .version)
            try members.encode(self.download, forKey: .download)
            try members.encode(self.sha256, forKey: .sha256)
            try members.encode(self.seenAt, forKey: .seenAt)
        }
    }
}
