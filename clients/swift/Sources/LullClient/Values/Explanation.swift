// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `Explanation` of the API.
public struct Explanation: Codable, Hashable, Sendable {
    /// `succeeded`, `failed` and `canceled` are final;
    ///
    /// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an
    /// upload is `receiving`: its client still brings the bytes.
    public var state: DownloadState
    /// One plain sentence.
    public var summary: String
    /// Why it failed, or why it needs you; left out in other states.
    public var error: ExplanationError?
    /// What lets it go on, for people; with `attention_required` and `failed`.
    public var remedy: String?
    /// RFC 3339 in UTC with milliseconds.
    public var asOf: Date?
    /// The first instant at which all that is known lets it begin; null if that is not known.
    public var until: Date?
    /// The same without what is measured, where `until` is null.
    public var earliestKnown: Date?
    /// `blockers` of the API.
    public var blockers: [Blocker]?
    /// `rules` of the API.
    public var rules: [Rules]?
    /// Seconds of all its waits so far, by what held it back: each instant counts for one code, the
    /// first that holds of its date or retry, a suspended session, conditions, windows and
    /// bandwidths of 0, disk, the limits of its app, its session and its origin (`app_limit`,
    /// `session_limit`, `origin_limit`, `connection_limit`), else for `slots`.
    public var timeBlocked: [String: Double]?
    /// When it will begin and end by the forecast; null where that is not known.
    public var expected: Expectation?
    /// How many of its class begin before it, by the forecast.
    public var place: PlaceInQueue?
    /// `size` of the API.
    public var size: Size?
    /// `rate` of the API.
    public var rate: Rate?
    /// `limits` of the API.
    public var limits: [Limits]?
    /// How it stands to its deadlines.
    public var deadline: Deadline?
    /// The budgets that count it, in their present periods.
    public var budgets: [Budgets]?
    /// What could be changed so that it begins sooner.
    public var sooner: [Sooner]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        state: DownloadState,
        summary: String,
        error: ExplanationError? = nil,
        remedy: String? = nil,
        asOf: Date? = nil,
        until: Date? = nil,
        earliestKnown: Date? = nil,
        blockers: [Blocker]? = nil,
        rules: [Rules]? = nil,
        timeBlocked: [String: Double]? = nil,
        expected: Expectation? = nil,
        place: PlaceInQueue? = nil,
        size: Size? = nil,
        rate: Rate? = nil,
        limits: [Limits]? = nil,
        deadline: Deadline? = nil,
        budgets: [Budgets]? = nil,
        sooner: [Sooner]? = nil
    ) {
        self.state = state
        self.summary = summary
        self.error = error
        self.remedy = remedy
        self.asOf = asOf
        self.until = until
        self.earliestKnown = earliestKnown
        self.blockers = blockers
        self.rules = rules
        self.timeBlocked = timeBlocked
        self.expected = expected
        self.place = place
        self.size = size
        self.rate = rate
        self.limits = limits
        self.deadline = deadline
        self.budgets = budgets
        self.sooner = sooner
    }

    private enum CodingKeys: String, CodingKey {
        case state
        case summary
        case error
        case remedy
        case asOf = "as_of"
        case until
        case earliestKnown = "earliest_known"
        case blockers
        case rules
        case timeBlocked = "time_blocked"
        case expected
        case place
        case size
        case rate
        case limits
        case deadline
        case budgets
        case sooner
    }

    /// Why it failed, or why it needs you; left out in other states.
    public struct ExplanationError: Codable, Hashable, Sendable {
        /// The code of a failure; the description of `error` lists them.
        public var code: String
        /// `detail` of the API.
        public var detail: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            code: String,
            detail: String
        ) {
            self.code = code
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case code
            case detail
        }
    }

    /// `Rules` of the API.
    public struct Rules: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `verdict` of the API.
        public var verdict: Verdict
        /// Why it is not about the download.
        public var because: String?
        /// `is_soft` of the API.
        public var isSoft: Bool?
        /// `requirements` of the API.
        public var requirements: [Requirements]?

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            verdict: Verdict,
            because: String? = nil,
            isSoft: Bool? = nil,
            requirements: [Requirements]? = nil
        ) {
            self.name = name
            self.verdict = verdict
            self.because = because
            self.isSoft = isSoft
            self.requirements = requirements
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case verdict
            case because
            case isSoft = "is_soft"
            case requirements
        }

        /// `Verdict` of the API.
        public struct Verdict: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `not_matched`.
            public static let notMatched = Verdict(rawValue: "not_matched")

            /// `open`.
            public static let open = Verdict(rawValue: "open")

            /// `closed`.
            public static let closed = Verdict(rawValue: "closed")
        }

        /// `Requirements` of the API.
        public struct Requirements: Codable, Hashable, Sendable {
            /// `text` of the API.
            public var text: String
            /// `verdict` of the API.
            public var verdict: Verdict
            /// `value` of the API.
            public var value: JSONValue?
            /// `until` of the API.
            public var until: Date?

            /// Makes one of its members; those that are left out are nil.
            public init(
                text: String,
                verdict: Verdict,
                value: JSONValue? = nil,
                until: Date? = nil
            ) {
                self.text = text
                self.verdict = verdict
                self.value = value
                self.until = until
            }

            private enum CodingKeys: String, CodingKey {
                case text
                case verdict
                case value
                case until
            }

            /// Writes its members; a required one that is nil is null.
            public func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: CodingKeys.self)
                try members.encode(self.text, forKey: .text)
                try members.encode(self.verdict, forKey: .verdict)
                try members.encode(self.value, forKey: .value)
                try members.encode(self.until, forKey: .until)
            }

            /// `Verdict` of the API.
            public struct Verdict: OpenWord {
                /// The word as the API writes it; it may be one that this version does not know.
                public let rawValue: String

                /// Makes any word.
                public init(rawValue: String) {
                    self.rawValue = rawValue
                }

                /// `met`.
                public static let met = Verdict(rawValue: "met")

                /// `unmet`.
                public static let unmet = Verdict(rawValue: "unmet")

                /// `waived`.
                public static let waived = Verdict(rawValue: "waived")

                /// `unknown`.
                public static let unknown = Verdict(rawValue: "unknown")
            }
        }
    }

    /// `Size` of the API.
    public struct Size: Codable, Hashable, Sendable {
        /// Who says how many bytes there are: the client, the origin in the answer to an earlier
        /// attempt, or other files of its session and origin.
        public var source: SizeSource
        /// Bytes that are still to come; of a learned size the 80 % quantile, with `complete_by`
        /// the 95 % quantile.
        ///
        /// Null if nothing is known.
        public var bytesLeft: Int?
        /// Sizes of other files, where nobody gave one.
        public var learned: LearnedQuantiles?

        /// Makes one of its members; those that are left out are nil.
        public init(
            source: SizeSource,
            bytesLeft: Int? = nil,
            learned: LearnedQuantiles? = nil
        ) {
            self.source = source
            self.bytesLeft = bytesLeft
            self.learned = learned
        }

        private enum CodingKeys: String, CodingKey {
            case source
            case bytesLeft = "bytes_left"
            case learned
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.source, forKey: .source)
            try members.encode(self.bytesLeft, forKey: .bytesLeft)
            try members.encode(self.learned, forKey: .learned)
        }

        /// Who says how many bytes there are: the client, the origin in the answer to an earlier
        /// attempt, or other files of its session and origin.
        public struct SizeSource: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `client`.
            public static let client = SizeSource(rawValue: "client")

            /// `announced`.
            public static let announced = SizeSource(rawValue: "announced")

            /// `learned`.
            public static let learned = SizeSource(rawValue: "learned")

            /// `unknown`.
            public static let unknown = SizeSource(rawValue: "unknown")
        }
    }

    /// `Rate` of the API.
    public struct Rate: Codable, Hashable, Sendable {
        /// Bytes a second that its origin gave one transfer while no limit held it back.
        public var learned: LearnedQuantiles?
        /// How long it takes at a low rate, failed attempts counted in; deadlines are guarded by
        /// it.
        public var secondsNeeded: Int
        /// Whether it can be gone on with after a stop: bytes are here with a validator, or its
        /// origin sent the rest of files when asked, or names byte ranges.
        ///
        /// Null if nothing says so. What cannot, and would not be complete when a hard rule closes,
        /// waits (`closing_window`).
        public var isResumable: Bool?

        /// Makes one of its members; those that are left out are nil.
        public init(
            secondsNeeded: Int,
            learned: LearnedQuantiles? = nil,
            isResumable: Bool? = nil
        ) {
            self.learned = learned
            self.secondsNeeded = secondsNeeded
            self.isResumable = isResumable
        }

        private enum CodingKeys: String, CodingKey {
            case learned
            case secondsNeeded = "seconds_needed"
            case isResumable = "is_resumable"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.learned, forKey: .learned)
            try members.encode(self.secondsNeeded, forKey: .secondsNeeded)
            try members.encode(self.isResumable, forKey: .isResumable)
        }
    }

    /// `Limits` of the API.
    public struct Limits: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// How many run; of `per_origin`, which apps share, null without the scope `admin`.
        public var value: Int?
        /// `limit` of the API.
        public var limit: Int

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            limit: Int,
            value: Int? = nil
        ) {
            self.name = name
            self.value = value
            self.limit = limit
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case value
            case limit
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.name, forKey: .name)
            try members.encode(self.value, forKey: .value)
            try members.encode(self.limit, forKey: .limit)
        }
    }

    /// How it stands to its deadlines.
    public struct Deadline: Codable, Hashable, Sendable {
        /// `complete_by` of the API.
        public var completeBy: Date?
        /// `begin_deadline` of the API.
        public var beginDeadline: Date?
        /// From here on soft rules do not count.
        ///
        /// Deadlines are rounded down, to hours within three days, and downloads that wait alike
        /// are guarded together, so it may be earlier than its own time would need.
        public var latestBegin: Date?
        /// `on_track`;
        ///
        /// `guarded` from `latest_begin` on; `at_risk` when the time that hard rules leave is
        /// shorter than the transfer is expected to take; `late` after the deadline, and before it
        /// when that time is too short even at a rate that the origin seldom exceeds (p80); `none`
        /// without one.
        public var status: Status
        /// One plain sentence, where there is something to say.
        public var detail: String?

        /// Makes one of its members; those that are left out are nil.
        public init(
            status: Status,
            completeBy: Date? = nil,
            beginDeadline: Date? = nil,
            latestBegin: Date? = nil,
            detail: String? = nil
        ) {
            self.completeBy = completeBy
            self.beginDeadline = beginDeadline
            self.latestBegin = latestBegin
            self.status = status
            self.detail = detail
        }

        private enum CodingKeys: String, CodingKey {
            case completeBy = "complete_by"
            case beginDeadline = "begin_deadline"
            case latestBegin = "latest_begin"
            case status
            case detail
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.completeBy, forKey: .completeBy)
            try members.encode(self.beginDeadline, forKey: .beginDeadline)
            try members.encode(self.latestBegin, forKey: .latestBegin)
            try members.encode(self.status, forKey: .status)
            try members.encode(self.detail, forKey: .detail)
        }

        /// `on_track`;
        ///
        /// `guarded` from `latest_begin` on; `at_risk` when the time that hard rules leave is
        /// shorter than the transfer is expected to take; `late` after the deadline, and before it
        /// when that time is too short even at a rate that the origin seldom exceeds (p80); `none`
        /// without one.
        public struct Status: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `none`.
            public static let none = Status(rawValue: "none")

            /// `on_track`.
            public static let onTrack = Status(rawValue: "on_track")

            /// `guarded`.
            public static let guarded = Status(rawValue: "guarded")

            /// `at_risk`.
            public static let atRisk = Status(rawValue: "at_risk")

            /// `late`.
            public static let late = Status(rawValue: "late")
        }
    }

    /// `Budgets` of the API.
    public struct Budgets: Codable, Hashable, Sendable {
        /// `name` of the API.
        public var name: String
        /// `scope` of the API.
        public var scope: Scope
        /// What the scope names, such as an app; empty for the deployment.
        public var value: String
        /// Bytes that may be reserved now, as far as its pace allows.
        ///
        /// Null without the scope `admin` for a budget of the deployment or of an origin, which
        /// apps share.
        public var left: Int?
        /// `left` as a part of the whole budget, in hundredths.
        public var leftPart: Double
        /// Bytes that it reserves when it begins.
        public var needs: Int
        /// RFC 3339 in UTC with milliseconds.
        public var periodEndsAt: Date

        /// Makes one of its members; those that are left out are nil.
        public init(
            name: String,
            scope: Scope,
            value: String,
            leftPart: Double,
            needs: Int,
            periodEndsAt: Date,
            left: Int? = nil
        ) {
            self.name = name
            self.scope = scope
            self.value = value
            self.left = left
            self.leftPart = leftPart
            self.needs = needs
            self.periodEndsAt = periodEndsAt
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case scope
            case value
            case left
            case leftPart = "left_part"
            case needs
            case periodEndsAt = "period_ends_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.name, forKey: .name)
            try members.encode(self.scope, forKey: .scope)
            try members.encode(self.value, forKey: .value)
            try members.encode(self.left, forKey: .left)
            try members.encode(self.leftPart, forKey: .leftPart)
            try members.encode(self.needs, forKey: .needs)
            try members.encode(self.periodEndsAt, forKey: .periodEndsAt)
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
    }

    /// `Sooner` of the API.
    public struct Sooner: Codable, Hashable, Sendable {
        /// `change` of the API.
        public var change: String
        /// RFC 3339 in UTC with milliseconds.
        public var begins: Date

        /// Makes one of its members; those that are left out are nil.
        public init(
            change: String,
            begins: Date
        ) {
            self.change = change
            self.begins = begins
        }

        private enum CodingKeys: String, CodingKey {
            case change
            case begins
        }
    }
}
