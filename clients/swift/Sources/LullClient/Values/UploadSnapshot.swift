// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// An upload at the time of an event.
public struct UploadSnapshot: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// Your name for a session, unique among yours.
    public var session: String
    /// `succeeded`, `failed` and `canceled` are final;
    ///
    /// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an
    /// upload is `receiving`: its client still brings the bytes.
    public var state: DownloadState
    /// `destination` of the API.
    public var destination: DestinationOrShownReceiver
    /// The length of the file in bytes.
    public var length: Int
    /// The download whose content is sent; null where the client brings the bytes.
    public var from: String?
    /// `external_id` of the API.
    public var externalID: String?
    /// `task_description` of the API.
    public var taskDescription: String?
    /// `priority` of the API.
    public var priority: Double
    /// `earliest_begin_date` of the API.
    public var earliestBeginDate: Date?
    /// `begin_deadline` of the API.
    public var beginDeadline: Date?
    /// `complete_by` of the API.
    public var completeBy: Date?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Bool
    /// `discretionary_forced_by` of the API.
    public var discretionaryForcedBy: DiscretionaryForcedBy?
    /// The hint of the client;
    ///
    /// `length` is exact.
    public var countOfBytesClientExpectsToSend: Int?
    /// Bytes that the client has brought, as they were counted at the end of its last request.
    public var countOfBytesReceived: Int
    /// Bytes that were sent to the destination in the current or last try.
    public var countOfBytesSent: Int
    /// `bytes_per_second` of the API.
    public var bytesPerSecond: Int?
    /// `completes_at` of the API.
    public var completesAt: Date?
    /// `attempt` of the API.
    public var attempt: Int
    /// `next_attempt_at` of the API.
    public var nextAttemptAt: Date?
    /// `expected_digest` of the API.
    public var expectedDigest: String?
    /// `filename` of the API.
    public var filename: String?
    /// `allows_expensive_network_access` of the API.
    public var allowsExpensiveNetworkAccess: Bool
    /// `allows_constrained_network_access` of the API.
    public var allowsConstrainedNetworkAccess: Bool
    /// `waits_for_connectivity` of the API.
    public var waitsForConnectivity: Bool
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Int
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Int
    /// Seconds within which the client has to bring all bytes.
    public var contentRetention: Int?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Int?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [String]?
    /// Statuses that the client knows to pass by themselves, such as a 403 of a CDN or a 404 of a
    /// mirror that is not filled yet; a download's rule replaces that of its session.
    ///
    /// An answer with one of `statuses` is tried again, counted apart from other failures:
    /// `attempts` times since the last new byte, for at most `for_seconds` since the first of them,
    /// with waits of at most `for_seconds / attempts`. After that, and for a signed URL whose time
    /// is over (`url_expired`), the status means what it means without the rule; a time that the
    /// origin tells wins. A POST without `Idempotency-Key` is repeated after 408, 425 and 429 only.
    public var retry: RetryRule?
    /// In answers to PATCH and `retry` alone; see a download.
    public var dropped: [String]?
    /// The last answer of the receiver.
    public var sent: SentAnswer?
    /// The bytes that the client brings.
    ///
    /// They can never be read here.
    public var content: UploadSnapshotContent
    /// Why it failed, or why the last attempt did.
    public var error: Failure?
    /// `cancel_reason` of the API.
    public var cancelReason: CancelReason?
    /// `metadata` of the API.
    public var metadata: [String: String]
    /// `sequence` of the API.
    public var sequence: Int
    /// RFC 3339 in UTC with milliseconds.
    public var createdAt: Date
    /// `started_at` of the API.
    public var startedAt: Date?
    /// `completed_at` of the API.
    public var completedAt: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        session: String,
        state: DownloadState,
        destination: DestinationOrShownReceiver,
        length: Int,
        priority: Double,
        isDiscretionary: Bool,
        countOfBytesReceived: Int,
        countOfBytesSent: Int,
        attempt: Int,
        allowsExpensiveNetworkAccess: Bool,
        allowsConstrainedNetworkAccess: Bool,
        waitsForConnectivity: Bool,
        timeoutIntervalForRequest: Int,
        timeoutIntervalForResource: Int,
        content: UploadSnapshotContent,
        metadata: [String: String],
        sequence: Int,
        createdAt: Date,
        from: String? = nil,
        externalID: String? = nil,
        taskDescription: String? = nil,
        earliestBeginDate: Date? = nil,
        beginDeadline: Date? = nil,
        completeBy: Date? = nil,
        discretionaryForcedBy: DiscretionaryForcedBy? = nil,
        countOfBytesClientExpectsToSend: Int? = nil,
        bytesPerSecond: Int? = nil,
        completesAt: Date? = nil,
        nextAttemptAt: Date? = nil,
        expectedDigest: String? = nil,
        filename: String? = nil,
        contentRetention: Int? = nil,
        maxBytesPerSecond: Int? = nil,
        webhookURL: String? = nil,
        webhookEvents: [String]? = nil,
        retry: RetryRule? = nil,
        dropped: [String]? = nil,
        sent: SentAnswer? = nil,
        error: Failure? = nil,
        cancelReason: CancelReason? = nil,
        startedAt: Date? = nil,
        completedAt: Date? = nil
    ) {
        self.id = id
        self.session = session
        self.state = state
        self.destination = destination
        self.length = length
        self.from = from
        self.externalID = externalID
        self.taskDescription = taskDescription
        self.priority = priority
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.isDiscretionary = isDiscretionary
        self.discretionaryForcedBy = discretionaryForcedBy
        self.countOfBytesClientExpectsToSend = countOfBytesClientExpectsToSend
        self.countOfBytesReceived = countOfBytesReceived
        self.countOfBytesSent = countOfBytesSent
        self.bytesPerSecond = bytesPerSecond
        self.completesAt = completesAt
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.expectedDigest = expectedDigest
        self.filename = filename
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.waitsForConnectivity = waitsForConnectivity
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.contentRetention = contentRetention
        self.maxBytesPerSecond = maxBytesPerSecond
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.retry = retry
        self.dropped = dropped
        self.sent = sent
        self.content = content
        self.error = error
        self.cancelReason = cancelReason
        self.metadata = metadata
        self.sequence = sequence
        self.createdAt = createdAt
        self.startedAt = startedAt
        self.completedAt = completedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case session
        case state
        case destination
        case length
        case from
        case externalID = "external_id"
        case taskDescription = "task_description"
        case priority
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case isDiscretionary = "is_discretionary"
        case discretionaryForcedBy = "discretionary_forced_by"
        case countOfBytesClientExpectsToSend = "count_of_bytes_client_expects_to_send"
        case countOfBytesReceived = "count_of_bytes_received"
        case countOfBytesSent = "count_of_bytes_sent"
        case bytesPerSecond = "bytes_per_second"
        case completesAt = "completes_at"
        case attempt
        case nextAttemptAt = "next_attempt_at"
        case expectedDigest = "expected_digest"
        case filename
        case allowsExpensiveNetworkAccess = "allows_expensive_network_access"
        case allowsConstrainedNetworkAccess = "allows_constrained_network_access"
        case waitsForConnectivity = "waits_for_connectivity"
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case contentRetention = "content_retention"
        case maxBytesPerSecond = "max_bytes_per_second"
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case retry
        case dropped
        case sent
        case content
        case error
        case cancelReason = "cancel_reason"
        case metadata
        case sequence
        case createdAt = "created_at"
        case startedAt = "started_at"
        case completedAt = "completed_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.session, forKey: .session)
        try members.encode(self.state, forKey: .state)
        try members.encode(self.destination, forKey: .destination)
        try members.encode(self.length, forKey: .length)
        try members.encode(self.from, forKey: .from)
        try members.encode(self.externalID, forKey: .externalID)
        try members.encode(self.taskDescription, forKey: .taskDescription)
        try members.encode(self.priority, forKey: .priority)
        try members.encode(self.earliestBeginDate, forKey: .earliestBeginDate)
        try members.encode(self.beginDeadline, forKey: .beginDeadline)
        try members.encode(self.completeBy, forKey: .completeBy)
        try members.encode(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encode(self.discretionaryForcedBy, forKey: .discretionaryForcedBy)
        try members.encode(self.countOfBytesClientExpectsToSend, forKey: .countOfBytesClientExpectsToSend)
        try members.encode(self.countOfBytesReceived, forKey: .countOfBytesReceived)
        try members.encode(self.countOfBytesSent, forKey: .countOfBytesSent)
        try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
        try members.encode(self.completesAt, forKey: .completesAt)
        try members.encode(self.attempt, forKey: .attempt)
        try members.encode(self.nextAttemptAt, forKey: .nextAttemptAt)
        try members.encode(self.expectedDigest, forKey: .expectedDigest)
        try members.encode(self.filename, forKey: .filename)
        try members.encode(self.allowsExpensiveNetworkAccess, forKey: .allowsExpensiveNetworkAccess)
        try members.encode(self.allowsConstrainedNetworkAccess, forKey: .allowsConstrainedNetworkAccess)
        try members.encode(self.waitsForConnectivity, forKey: .waitsForConnectivity)
        try members.encode(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encode(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encode(self.contentRetention, forKey: .contentRetention)
        try members.encode(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encode(self.webhookURL, forKey: .webhookURL)
        try members.encode(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.retry, forKey: .retry)
        try members.encodeIfPresent(self.dropped, forKey: .dropped)
        try members.encode(self.sent, forKey: .sent)
        try members.encode(self.content, forKey: .content)
        try members.encode(self.error, forKey: .error)
        try members.encode(self.cancelReason, forKey: .cancelReason)
        try members.encode(self.metadata, forKey: .metadata)
        try members.encode(self.sequence, forKey: .sequence)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.startedAt, forKey: .startedAt)
        try members.encode(self.completedAt, forKey: .completedAt)
    }

    /// `DiscretionaryForcedBy` of the API.
    public struct DiscretionaryForcedBy: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `wake`.
        public static let wake = DiscretionaryForcedBy(rawValue: "wake")
    }

    /// The bytes that the client brings.
    ///
    /// They can never be read here.
    public struct UploadSnapshotContent: Codable, Hashable, Sendable {
        /// The path to PUT or PATCH them to.
        public var href: String
        /// Their number, as announced.
        public var length: Int
        /// `receiving`: the client brings them;
        ///
        /// `staged`: all are here and proved; `sent`: the destination has them; `gone`: the upload
        /// has ended without them, though a retry may still find them.
        public var state: State
        /// Their digest once they were sent.
        public var sha256: String?
        /// When bytes are given up that are not whole by then, `content_retention` after the upload
        /// began to take them in its present state; null once all have come, and after the end.
        public var expiresAt: Date?

        /// Makes one of its members; those that are left out are nil.
        public init(
            href: String,
            length: Int,
            state: State,
            sha256: String? = nil,
            expiresAt: Date? = nil
        ) {
            self.href = href
            self.length = length
            self.state = state
            self.sha256 = sha256
            self.expiresAt = expiresAt
        }

        private enum CodingKeys: String, CodingKey {
            case href
            case length
            case state
            case sha256
            case expiresAt = "expires_at"
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(self.href, forKey: .href)
            try members.encode(self.length, forKey: .length)
            try members.encode(self.state, forKey: .state)
            try members.encode(self.sha256, forKey: .sha256)
            try members.encode(self.expiresAt, forKey: .expiresAt)
        }

        /// `receiving`: the client brings them;
        ///
        /// `staged`: all are here and proved; `sent`: the destination has them; `gone`: the upload
        /// has ended without them, though a retry may still find them.
        public struct State: OpenWord {
            /// The word as the API writes it; it may be one that this version does not know.
            public let rawValue: String

            /// Makes any word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// `receiving`.
            public static let receiving = State(rawValue: "receiving")

            /// `staged`.
            public static let staged = State(rawValue: "staged")

            /// `sent`.
            public static let sent = State(rawValue: "sent")

            /// `gone`.
            public static let gone = State(rawValue: "gone")
        }
    }

    /// `CancelReason` of the API.
    public struct CancelReason: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `force_quit`.
        public static let forceQuit = CancelReason(rawValue: "force_quit")

        /// `begin_hook`.
        public static let beginHook = CancelReason(rawValue: "begin_hook")

        /// `next_look`.
        public static let nextLook = CancelReason(rawValue: "next_look")

        /// `replaced`.
        public static let replaced = CancelReason(rawValue: "replaced")

        /// `client_gone`.
        public static let clientGone = CancelReason(rawValue: "client_gone")
    }
}
