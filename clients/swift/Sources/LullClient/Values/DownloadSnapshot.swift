// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A download at the time of an event.
public struct DownloadSnapshot: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// Your name for a session, unique among yours.
    public var session: String
    /// `succeeded`, `failed` and `canceled` are final;
    ///
    /// `suspended`, `waiting`, `running`, `canceling` and `attention_required` are not. Only an
    /// upload is `receiving`: its client still brings the bytes.
    public var state: DownloadState
    /// `url` of the API.
    public var url: String
    /// Further addresses of the same bytes.
    public var urls: [String]
    /// The one of `url` and `urls` that is requested now or next, or was requested last.
    ///
    /// Null in events that are written without it: `download.started`, and those that follow the
    /// loss of a replica.
    public var mirrorURL: String?
    /// The URL that answered, after redirects.
    public var currentURL: String?
    /// `external_id` of the API.
    public var externalID: String?
    /// The source whose look it is; absent for others.
    public var source: String?
    /// `task_description` of the API.
    public var taskDescription: String?
    /// `priority` of the API.
    public var priority: Double
    /// `earliest_begin_date` of the API.
    public var earliestBeginDate: Date?
    /// When it should have begun at the latest.
    public var beginDeadline: Date?
    /// When its content should be complete at the latest.
    public var completeBy: Date?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Bool
    /// Whether it may use a network that is expensive.
    ///
    /// An event has this and the next member only where one is false.
    public var allowsExpensiveNetworkAccess: Bool?
    /// `allows_constrained_network_access` of the API.
    public var allowsConstrainedNetworkAccess: Bool?
    /// Whether it waits while its origin or the network is not reached.
    ///
    /// An event has this only where it is false.
    public var waitsForConnectivity: Bool?
    /// What it does where its session has a live download that asks for the same bytes.
    ///
    /// An event has this and the next member only with `join`.
    public var onDuplicateURL: OnDuplicateURL?
    /// The download whose transfer brings its content: while it waits for that, with the blocker
    /// `dependency`, and once it has succeeded by it.
    ///
    /// Null while it is fetched by itself.
    public var joinedTo: String?
    /// The download whose content was known when it was created.
    ///
    /// An event has this and the next three members only where one of the first three was given.
    public var ifChangedFrom: String?
    /// `if_none_match` of the API.
    public var ifNoneMatch: String?
    /// `if_modified_since` of the API.
    public var ifModifiedSince: String?
    /// How it was found that there is no other version:
    ///
    /// `not_modified` by a 304, `same_digest` by the digest of what was fetched. Null if there is
    /// one, and before the end. Without `if_changed_from`, or with a `destination`, `content` is
    /// then null.
    public var unchanged: Unchanged?
    /// Why it is discretionary whatever was asked for;
    ///
    /// `wake` if it was created in the background.
    public var discretionaryForcedBy: DiscretionaryForcedBy?
    /// `count_of_bytes_client_expects_to_send` of the API.
    public var countOfBytesClientExpectsToSend: Int?
    /// `count_of_bytes_client_expects_to_receive` of the API.
    public var countOfBytesClientExpectsToReceive: Int?
    /// Received bytes of the content.
    public var countOfBytesReceived: Int
    /// Bytes that the origin announced.
    public var countOfBytesExpectedToReceive: Int?
    /// How fast it is while it runs: for the first ten seconds of an attempt the mean since its
    /// first bytes, then an average in which each measure, one a second, counts by its duration
    /// against ten seconds. 0 when no bytes arrive; null unless it runs and was measured twice.
    public var bytesPerSecond: Int?
    /// The estimated end, from `bytes_per_second` and the missing bytes.
    ///
    /// Null if one of them is not known, or if it would take more than a year.
    public var completesAt: Date?
    /// The number of the current or last attempt; 0 before the first.
    public var attempt: Int
    /// When the next attempt may begin, after one failed; where its origin is not reached, when one
    /// of the downloads of that origin tries again.
    public var nextAttemptAt: Date?
    /// `expected_digest` of the API.
    public var expectedDigest: String?
    /// `filename` of the API.
    public var filename: String?
    /// `destination` of the API.
    public var destination: DestinationOrShownReceiver?
    /// Of a live download with a receiver or a store, the way that its bytes go:
    ///
    /// `receive` until the file is here and proved, then `send`. An event has this and the next two
    /// members only where there is a receiver.
    public var direction: Direction?
    /// Bytes of the file that were sent in the current or last try.
    public var countOfBytesSent: Int?
    /// The last answer of the receiver.
    public var sent: SentAnswer?
    /// `require_verified_length` of the API.
    public var requireVerifiedLength: Bool
    /// `require_expected_length` of the API.
    public var requireExpectedLength: Bool
    /// `on_source_change` of the API.
    public var onSourceChange: DownloadSnapshotOnSourceChange
    /// `max_bytes` of the API.
    public var maxBytes: Int?
    /// Only where it is set.
    public var minBytes: Int?
    /// Only where it is set.
    public var acceptContentTypes: [String]?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Int
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Int
    /// Seconds for which the content is kept; null for downloads older than that value.
    public var contentRetention: Int?
    /// How many streams at once it may have.
    public var segments: Int
    /// Its own limit; those of its session and of the policy hold as well.
    public var maxBytesPerSecond: Int?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [String]?
    /// Who is asked right before a download with an `earliest_begin_date` begins, so that it begins
    /// with a fresh URL or token: a webhook `download.will_begin` whose answer counts.
    ///
    /// Asked once for each begin; the download holds no slot meanwhile. A download may have one
    /// only beside an `earliest_begin_date`; that of a session is for those that have a date.
    public var beginHook: BeginHook?
    /// Statuses that the client knows to pass by themselves, such as a 403 of a CDN or a 404 of a
    /// mirror that is not filled yet; a download's rule replaces that of its session.
    ///
    /// An answer with one of `statuses` is tried again, counted apart from other failures:
    /// `attempts` times since the last new byte, for at most `for_seconds` since the first of them,
    /// with waits of at most `for_seconds / attempts`. After that, and for a signed URL whose time
    /// is over (`url_expired`), the status means what it means without the rule; a time that the
    /// origin tells wins. A POST without `Idempotency-Key` is repeated after 408, 425 and 429 only.
    public var retry: RetryRule?
    /// `method` of the API.
    public var method: Method
    /// The names, each with the value `redacted`.
    public var headers: [String: String]
    /// How long the body is that is sent; null without one.
    public var bodyBytes: Int?
    /// `authorization` of the API.
    public var authorization: ShownAuthorization?
    /// The `url` of the proxy without credentials, or the `mode` `none`.
    public var proxy: ShownProxy
    /// In answers to PATCH and `retry` alone: the members whose secrets were given for another
    /// origin than the one that `url`, or the `url` of `begin_hook`, of `destination` or of its
    /// `hook`, leads to now, and that were not given anew.
    public var dropped: [String]?
    /// `response` of the API.
    public var response: OriginResponse?
    /// `content` of the API.
    public var content: Content?
    /// Why it failed, or why the last attempt did.
    public var error: Failure?
    /// Why it was canceled, where its client did not cancel just this download;
    ///
    /// `force_quit` or `ends_with_client` of its session, its `begin_hook`, a newer look of its
    /// source, or a download that `replaces` it.
    public var cancelReason: CancelReason?
    /// How the last attempt continued received bytes.
    ///
    /// Bytes lost in a crash, after the last checkpoint, count among `bytes_discarded`.
    public var resume: ResumeOutcome?
    /// `metadata` of the API.
    public var metadata: [String: String]
    /// Rises with every event of this download.
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
        url: String,
        urls: [String],
        priority: Double,
        isDiscretionary: Bool,
        countOfBytesReceived: Int,
        attempt: Int,
        requireVerifiedLength: Bool,
        requireExpectedLength: Bool,
        onSourceChange: DownloadSnapshotOnSourceChange,
        timeoutIntervalForRequest: Int,
        timeoutIntervalForResource: Int,
        segments: Int,
        method: Method,
        headers: [String: String],
        proxy: ShownProxy,
        metadata: [String: String],
        sequence: Int,
        createdAt: Date,
        mirrorURL: String? = nil,
        currentURL: String? = nil,
        externalID: String? = nil,
        source: String? = nil,
        taskDescription: String? = nil,
        earliestBeginDate: Date? = nil,
        beginDeadline: Date? = nil,
        completeBy: Date? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        waitsForConnectivity: Bool? = nil,
        onDuplicateURL: OnDuplicateURL? = nil,
        joinedTo: String? = nil,
        ifChangedFrom: String? = nil,
        ifNoneMatch: String? = nil,
        ifModifiedSince: String? = nil,
        unchanged: Unchanged? = nil,
        discretionaryForcedBy: DiscretionaryForcedBy? = nil,
        countOfBytesClientExpectsToSend: Int? = nil,
        countOfBytesClientExpectsToReceive: Int? = nil,
        countOfBytesExpectedToReceive: Int? = nil,
        bytesPerSecond: Int? = nil,
        completesAt: Date? = nil,
        nextAttemptAt: Date? = nil,
        expectedDigest: String? = nil,
        filename: String? = nil,
        destination: DestinationOrShownReceiver? = nil,
        direction: Direction? = nil,
        countOfBytesSent: Int? = nil,
        sent: SentAnswer? = nil,
        maxBytes: Int? = nil,
        minBytes: Int? = nil,
        acceptContentTypes: [String]? = nil,
        contentRetention: Int? = nil,
        maxBytesPerSecond: Int? = nil,
        webhookURL: String? = nil,
        webhookEvents: [String]? = nil,
        beginHook: BeginHook? = nil,
        retry: RetryRule? = nil,
        bodyBytes: Int? = nil,
        authorization: ShownAuthorization? = nil,
        dropped: [String]? = nil,
        response: OriginResponse? = nil,
        content: Content? = nil,
        error: Failure? = nil,
        cancelReason: CancelReason? = nil,
        resume: ResumeOutcome? = nil,
        startedAt: Date? = nil,
        completedAt: Date? = nil
    ) {
        self.id = id
        self.session = session
        self.state = state
        self.url = url
        self.urls = urls
        self.mirrorURL = mirrorURL
        self.currentURL = currentURL
        self.externalID = externalID
        self.source = source
        self.taskDescription = taskDescription
        self.priority = priority
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.isDiscretionary = isDiscretionary
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.waitsForConnectivity = waitsForConnectivity
        self.onDuplicateURL = onDuplicateURL
        self.joinedTo = joinedTo
        self.ifChangedFrom = ifChangedFrom
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.unchanged = unchanged
        self.discretionaryForcedBy = discretionaryForcedBy
        self.countOfBytesClientExpectsToSend = countOfBytesClientExpectsToSend
        self.countOfBytesClientExpectsToReceive = countOfBytesClientExpectsToReceive
        self.countOfBytesReceived = countOfBytesReceived
        self.countOfBytesExpectedToReceive = countOfBytesExpectedToReceive
        self.bytesPerSecond = bytesPerSecond
        self.completesAt = completesAt
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.expectedDigest = expectedDigest
        self.filename = filename
        self.destination = destination
        self.direction = direction
        self.countOfBytesSent = countOfBytesSent
        self.sent = sent
        self.requireVerifiedLength = requireVerifiedLength
        self.requireExpectedLength = requireExpectedLength
        self.onSourceChange = onSourceChange
        self.maxBytes = maxBytes
        self.minBytes = minBytes
        self.acceptContentTypes = acceptContentTypes
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.contentRetention = contentRetention
        self.segments = segments
        self.maxBytesPerSecond = maxBytesPerSecond
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.beginHook = beginHook
        self.retry = retry
        self.method = method
        self.headers = headers
        self.bodyBytes = bodyBytes
        self.authorization = authorization
        self.proxy = proxy
        self.dropped = dropped
        self.response = response
        self.content = content
        self.error = error
        self.cancelReason = cancelReason
        self.resume = resume
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
        case url
        case urls
        case mirrorURL = "mirror_url"
        case currentURL = "current_url"
        case externalID = "external_id"
        case source
        case taskDescription = "task_description"
        case priority
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case isDiscretionary = "is_discretionary"
        case allowsExpensiveNetworkAccess = "allows_expensive_network_access"
        case allowsConstrainedNetworkAccess = "allows_constrained_network_access"
        case waitsForConnectivity = "waits_for_connectivity"
        case onDuplicateURL = "on_duplicate_url"
        case joinedTo = "joined_to"
        case ifChangedFrom = "if_changed_from"
        case ifNoneMatch = "if_none_match"
        case ifModifiedSince = "if_modified_since"
        case unchanged
        case discretionaryForcedBy = "discretionary_forced_by"
        case countOfBytesClientExpectsToSend = "count_of_bytes_client_expects_to_send"
        case countOfBytesClientExpectsToReceive = "count_of_bytes_client_expects_to_receive"
        case countOfBytesReceived = "count_of_bytes_received"
        case countOfBytesExpectedToReceive = "count_of_bytes_expected_to_receive"
        case bytesPerSecond = "bytes_per_second"
        case completesAt = "completes_at"
        case attempt
        case nextAttemptAt = "next_attempt_at"
        case expectedDigest = "expected_digest"
        case filename
        case destination
        case direction
        case countOfBytesSent = "count_of_bytes_sent"
        case sent
        case requireVerifiedLength = "require_verified_length"
        case requireExpectedLength = "require_expected_length"
        case onSourceChange = "on_source_change"
        case maxBytes = "max_bytes"
        case minBytes = "min_bytes"
        case acceptContentTypes = "accept_content_types"
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case contentRetention = "content_retention"
        case segments
        case maxBytesPerSecond = "max_bytes_per_second"
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case beginHook = "begin_hook"
        case retry
        case method
        case headers
        case bodyBytes = "body_bytes"
        case authorization
        case proxy
        case dropped
        case response
        case content
        case error
        case cancelReason = "cancel_reason"
        case resume
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
        try members.encode(self.url, forKey: .url)
        try members.encode(self.urls, forKey: .urls)
        try members.encode(self.mirrorURL, forKey: .mirrorURL)
        try members.encode(self.currentURL, forKey: .currentURL)
        try members.encode(self.externalID, forKey: .externalID)
        try members.encodeIfPresent(self.source, forKey: .source)
        try members.encode(self.taskDescription, forKey: .taskDescription)
        try members.encode(self.priority, forKey: .priority)
        try members.encode(self.earliestBeginDate, forKey: .earliestBeginDate)
        try members.encode(self.beginDeadline, forKey: .beginDeadline)
        try members.encode(self.completeBy, forKey: .completeBy)
        try members.encode(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encodeIfPresent(self.allowsExpensiveNetworkAccess, forKey: .allowsExpensiveNetworkAccess)
        try members.encodeIfPresent(self.allowsConstrainedNetworkAccess, forKey: .allowsConstrainedNetworkAccess)
        try members.encodeIfPresent(self.waitsForConnectivity, forKey: .waitsForConnectivity)
        try members.encodeIfPresent(self.onDuplicateURL, forKey: .onDuplicateURL)
        try members.encodeIfPresent(self.joinedTo, forKey: .joinedTo)
        try members.encodeIfPresent(self.ifChangedFrom, forKey: .ifChangedFrom)
        try members.encodeIfPresent(self.ifNoneMatch, forKey: .ifNoneMatch)
        try members.encodeIfPresent(self.ifModifiedSince, forKey: .ifModifiedSince)
        try members.encodeIfPresent(self.unchanged, forKey: .unchanged)
        try members.encode(self.discretionaryForcedBy, forKey: .discretionaryForcedBy)
        try members.encode(self.countOfBytesClientExpectsToSend, forKey: .countOfBytesClientExpectsToSend)
        try members.encode(self.countOfBytesClientExpectsToReceive, forKey: .countOfBytesClientExpectsToReceive)
        try members.encode(self.countOfBytesReceived, forKey: .countOfBytesReceived)
        try members.encode(self.countOfBytesExpectedToReceive, forKey: .countOfBytesExpectedToReceive)
        try members.encode(self.bytesPerSecond, forKey: .bytesPerSecond)
        try members.encode(self.completesAt, forKey: .completesAt)
        try members.encode(self.attempt, forKey: .attempt)
        try members.encode(self.nextAttemptAt, forKey: .nextAttemptAt)
        try members.encode(self.expectedDigest, forKey: .expectedDigest)
        try members.encode(self.filename, forKey: .filename)
        try members.encode(self.destination, forKey: .destination)
        try members.encodeIfPresent(self.direction, forKey: .direction)
        try members.encodeIfPresent(self.countOfBytesSent, forKey: .countOfBytesSent)
        try members.encodeIfPresent(self.sent, forKey: .sent)
        try members.encode(self.requireVerifiedLength, forKey: .requireVerifiedLength)
        try members.encode(self.requireExpectedLength, forKey: .requireExpectedLength)
        try members.encode(self.onSourceChange, forKey: .onSourceChange)
        try members.encode(self.maxBytes, forKey: .maxBytes)
        try members.encodeIfPresent(self.minBytes, forKey: .minBytes)
        try members.encodeIfPresent(self.acceptContentTypes, forKey: .acceptContentTypes)
        try members.encode(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encode(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encode(self.contentRetention, forKey: .contentRetention)
        try members.encode(self.segments, forKey: .segments)
        try members.encode(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encode(self.webhookURL, forKey: .webhookURL)
        try members.encode(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.retry, forKey: .retry)
        try members.encode(self.method, forKey: .method)
        try members.encode(self.headers, forKey: .headers)
        try members.encode(self.bodyBytes, forKey: .bodyBytes)
        try members.encode(self.authorization, forKey: .authorization)
        try members.encode(self.proxy, forKey: .proxy)
        try members.encodeIfPresent(self.dropped, forKey: .dropped)
        try members.encode(self.response, forKey: .response)
        try members.encode(self.content, forKey: .content)
        try members.encode(self.error, forKey: .error)
        try members.encode(self.cancelReason, forKey: .cancelReason)
        try members.encode(self.resume, forKey: .resume)
        try members.encode(self.metadata, forKey: .metadata)
        try members.encode(self.sequence, forKey: .sequence)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.startedAt, forKey: .startedAt)
        try members.encode(self.completedAt, forKey: .completedAt)
    }

    /// What it does where its session has a live download that asks for the same bytes.
    ///
    /// An event has this and the next member only with `join`.
    public struct OnDuplicateURL: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `independent`.
        public static let independent = OnDuplicateURL(rawValue: "independent")

        /// `join`.
        public static let join = OnDuplicateURL(rawValue: "join")
    }

    /// How it was found that there is no other version:
    ///
    /// `not_modified` by a 304, `same_digest` by the digest of what was fetched. Null if there is
    /// one, and before the end. Without `if_changed_from`, or with a `destination`, `content` is
    /// then null.
    public struct Unchanged: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `not_modified`.
        public static let notModified = Unchanged(rawValue: "not_modified")

        /// `same_digest`.
        public static let sameDigest = Unchanged(rawValue: "same_digest")
    }

    /// Why it is discretionary whatever was asked for;
    ///
    /// `wake` if it was created in the background.
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

    /// Of a live download with a receiver or a store, the way that its bytes go:
    ///
    /// `receive` until the file is here and proved, then `send`. An event has this and the next two
    /// members only where there is a receiver.
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

    /// `DownloadSnapshotOnSourceChange` of the API.
    public struct DownloadSnapshotOnSourceChange: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `restart`.
        public static let restart = DownloadSnapshotOnSourceChange(rawValue: "restart")

        /// `ask`.
        public static let ask = DownloadSnapshotOnSourceChange(rawValue: "ask")

        /// `fail`.
        public static let fail = DownloadSnapshotOnSourceChange(rawValue: "fail")
    }

    /// `Method` of the API.
    public struct Method: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `GET`.
        public static let get = Method(rawValue: "GET")

        /// `POST`.
        public static let post = Method(rawValue: "POST")

        /// `PUT`.
        public static let put = Method(rawValue: "PUT")
    }

    /// Why it was canceled, where its client did not cancel just this download;
    ///
    /// `force_quit` or `ends_with_client` of its session, its `begin_hook`, a newer look of its
    /// source, or a download that `replaces` it.
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
