// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// One attempt; durations are microseconds, unknown values are null.
public struct Attempt: Codable, Hashable, Sendable {
    /// `attempt` of the API.
    public var attempt: Int
    /// How it ended; null while it runs.
    ///
    /// `received` means that the file is here and waits to be sent, `unchanged` that the content is
    /// that of `if_changed_from`, whose file is shared next, `given_back` means that the replica
    /// was lost, `yielded` that more urgent work got its slot, `unreachable` that its origin was
    /// not reached and the attempt counts for nothing.
    public var outcome: Outcome?
    /// `started_at` of the API.
    public var startedAt: Date?
    /// `ended_at` of the API.
    public var endedAt: Date?
    /// The address of the download that was requested.
    public var url: String?
    /// Why it failed.
    public var error: Failure?
    /// The phase in which it failed.
    public var phase: Phase?
    /// The error message of libcurl, as `curl` prints it, or the rule that the answer broke; null
    /// after success, or if another rule ended the attempt.
    ///
    /// For people: the texts change with the library.
    public var transportError: String?
    /// `http_status` of the API.
    public var httpStatus: Int?
    /// The first KiB of the body of an answer that is no content, as the origin sent it, but for
    /// secrets of the request that it repeats, which are shown as `[redacted]`. null where these
    /// cannot be told from other text (one is shorter than four bytes, or they are more than 64 KiB
    /// together), and in ephemeral sessions.
    ///
    /// It is not in events and logs.
    public var excerpt: Excerpt?
    /// Whether it fetched the content, or sent the file to its receiver.
    public var direction: Direction?
    /// How many bytes were here when it began.
    public var resumedFrom: Int?
    /// How many streams it had at most; null for one.
    public var streams: Int?
    /// `bytes_discarded` of the API.
    public var bytesDiscarded: Int?
    /// `discard_reason` of the API.
    public var discardReason: String?
    /// `lookup_us` of the API.
    public var lookupUs: Int?
    /// `connect_us` of the API.
    public var connectUs: Int?
    /// `tls_us` of the API.
    public var tlsUs: Int?
    /// `first_byte_us` of the API.
    public var firstByteUs: Int?
    /// `total_us` of the API.
    public var totalUs: Int?
    /// Seconds of the wait before it, by what held it back, as in explanations; null for less than
    /// a second in all, and while it runs.
    public var timeBlocked: [String: Double]?

    /// Makes one of its members; those that are left out are nil.
    public init(
        attempt: Int,
        outcome: Outcome? = nil,
        startedAt: Date? = nil,
        endedAt: Date? = nil,
        url: String? = nil,
        error: Failure? = nil,
        phase: Phase? = nil,
        transportError: String? = nil,
        httpStatus: Int? = nil,
        excerpt: Excerpt? = nil,
        direction: Direction? = nil,
        resumedFrom: Int? = nil,
        streams: Int? = nil,
        bytesDiscarded: Int? = nil,
        discardReason: String? = nil,
        lookupUs: Int? = nil,
        connectUs: Int? = nil,
        tlsUs: Int? = nil,
        firstByteUs: Int? = nil,
        totalUs: Int? = nil,
        timeBlocked: [String: Double]? = nil
    ) {
        self.attempt = attempt
        self.outcome = outcome
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.url = url
        self.error = error
        self.phase = phase
        self.transportError = transportError
        self.httpStatus = httpStatus
        self.excerpt = excerpt
        self.direction = direction
        self.resumedFrom = resumedFrom
        self.streams = streams
        self.bytesDiscarded = bytesDiscarded
        self.discardReason = discardReason
        self.lookupUs = lookupUs
        self.connectUs = connectUs
        self.tlsUs = tlsUs
        self.firstByteUs = firstByteUs
        self.totalUs = totalUs
        self.timeBlocked = timeBlocked
    }

    private enum CodingKeys: String, CodingKey {
        case attempt
        case outcome
        case startedAt = "started_at"
        case endedAt = "ended_at"
        case url
        case error
        case phase
        case transportError = "transport_error"
        case httpStatus = "http_status"
        case excerpt
        case direction
        case resumedFrom = "resumed_from"
        case streams
        case bytesDiscarded = "bytes_discarded"
        case discardReason = "discard_reason"
        case lookupUs = "lookup_us"
        case connectUs = "connect_us"
        case tlsUs = "tls_us"
        case firstByteUs = "first_byte_us"
        case totalUs = "total_us"
        case timeBlocked = "time_blocked"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.attempt, forKey: .attempt)
        try members.encode(self.outcome, forKey: .outcome)
        try members.encode(self.startedAt, forKey: .startedAt)
        try members.encode(self.endedAt, forKey: .endedAt)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.error, forKey: .error)
        try members.encodeIfPresent(self.phase, forKey: .phase)
        try members.encodeIfPresent(self.transportError, forKey: .transportError)
        try members.encodeIfPresent(self.httpStatus, forKey: .httpStatus)
        try members.encodeIfPresent(self.excerpt, forKey: .excerpt)
        try members.encodeIfPresent(self.direction, forKey: .direction)
        try members.encodeIfPresent(self.resumedFrom, forKey: .resumedFrom)
        try members.encodeIfPresent(self.streams, forKey: .streams)
        try members.encodeIfPresent(self.bytesDiscarded, forKey: .bytesDiscarded)
        try members.encodeIfPresent(self.discardReason, forKey: .discardReason)
        try members.encodeIfPresent(self.lookupUs, forKey: .lookupUs)
        try members.encodeIfPresent(self.connectUs, forKey: .connectUs)
        try members.encodeIfPresent(self.tlsUs, forKey: .tlsUs)
        try members.encodeIfPresent(self.firstByteUs, forKey: .firstByteUs)
        try members.encodeIfPresent(self.totalUs, forKey: .totalUs)
        try members.encodeIfPresent(self.timeBlocked, forKey: .timeBlocked)
    }

    /// How it ended; null while it runs.
    ///
    /// `received` means that the file is here and waits to be sent, `unchanged` that the content is
    /// that of `if_changed_from`, whose file is shared next, `given_back` means that the replica
    /// was lost, `yielded` that more urgent work got its slot, `unreachable` that its origin was
    /// not reached and the attempt counts for nothing.
    public struct Outcome: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `succeeded`.
        public static let succeeded = Outcome(rawValue: "succeeded")

        /// `failed`.
        public static let failed = Outcome(rawValue: "failed")

        /// `retry_scheduled`.
        public static let retryScheduled = Outcome(rawValue: "retry_scheduled")

        /// `canceled`.
        public static let canceled = Outcome(rawValue: "canceled")

        /// `suspended`.
        public static let suspended = Outcome(rawValue: "suspended")

        /// `attention_required`.
        public static let attentionRequired = Outcome(rawValue: "attention_required")

        /// `yielded`.
        public static let yielded = Outcome(rawValue: "yielded")

        /// `unreachable`.
        public static let unreachable = Outcome(rawValue: "unreachable")

        /// `given_back`.
        public static let givenBack = Outcome(rawValue: "given_back")

        /// `received`.
        public static let received = Outcome(rawValue: "received")

        /// `unchanged`.
        public static let unchanged = Outcome(rawValue: "unchanged")
    }

    /// The phase in which it failed.
    public struct Phase: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `lookup`.
        public static let lookup = Phase(rawValue: "lookup")

        /// `connect`.
        public static let connect = Phase(rawValue: "connect")

        /// `tls`.
        public static let tls = Phase(rawValue: "tls")

        /// `first_byte`.
        public static let firstByte = Phase(rawValue: "first_byte")

        /// `body`.
        public static let body = Phase(rawValue: "body")
    }

    /// Whether it fetched the content, or sent the file to its receiver.
    public struct Direction: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `receive`.
        public static let receive = Direction(rawValue: "receive")

        /// `send`.
        public static let send = Direction(rawValue: "send")
    }
}
