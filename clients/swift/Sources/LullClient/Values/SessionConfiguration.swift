// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `SessionConfiguration` of the API.
public struct SessionConfiguration: Codable, Hashable, Sendable {
    /// What downloads leave behind; it never changes.
    ///
    /// `ephemeral`: queries of their URLs are never shown, and erased at their end with all other
    /// secrets, so that a retry needs the `url` again; content goes with its first whole read, and
    /// is kept for ten minutes at most.
    public var kind: Kind?
    /// Whether downloads wait for the moment that the policy names.
    public var isDiscretionary: Bool?
    /// Whether downloads may run while the condition `network_cost` is `expensive`; true by
    /// default.
    public var allowsExpensiveNetworkAccess: Bool?
    /// Whether downloads may run while the condition `network_constrained` is true; true by
    /// default.
    public var allowsConstrainedNetworkAccess: Bool?
    /// Whether downloads wait, at no cost, while their origin or the network is not reached: no
    /// route, no name server, or no answer to a connection.
    ///
    /// Else each such attempt counts; true by default.
    public var waitsForConnectivity: Bool?
    /// Whether the client is woken by `session.wake` when downloads have ended or wait for it,
    /// where a receiver names that event; null for true.
    public var sendsLaunchEvents: Bool?
    /// The time without a client after which the live downloads and uploads of the session are
    /// canceled (`cancel_reason: client_gone`); a younger one is not canceled yet.
    ///
    /// A client is there while it reads `GET /v1/events?session=` of this session, as a stream or
    /// by long polls, with types that include the ends of downloads, and at `POST …/attach`. Whole
    /// seconds, `5s` to `1d`; null for never.
    public var endsWithClient: String?
    /// Seconds without a byte after which an attempt ends.
    public var timeoutIntervalForRequest: Int?
    /// Seconds from creation, or from a later `earliest_begin_date`, after which a download ends.
    public var timeoutIntervalForResource: Int?
    /// Whether content fails (`length_unverified`) whose end cannot be verified: by
    /// `Content-Length`, chunks, `Content-Range`, or a digest of yours or the origin's.
    ///
    /// The default is `false`: then `content.length_verified` has the result. A matching digest
    /// verifies the length too; the expected number of bytes does not.
    public var requireVerifiedLength: Bool?
    /// Whether content fails (`expected_length_mismatch`) that has not exactly
    /// `count_of_bytes_client_expects_to_receive` bytes, announced or counted.
    ///
    /// The default is `false`: then the number is a hint, and `content.expected_length_matched` has
    /// the result. Without the number there is no check.
    public var requireExpectedLength: Bool?
    /// What happens to received bytes when the origin has another version:
    ///
    /// `restart` (the default) fetches it from the beginning, `ask` keeps them and sets
    /// `attention_required`, code `source_changed` (`resume` starts over, another `url` may
    /// continue them), `fail` ends the download.
    public var onSourceChange: OnSourceChange?
    /// The most bytes that the content may have.
    ///
    /// Announced or counted, one more is `attention_required` with `data_length_exceeds_maximum`;
    /// the bytes are kept, and continued after a higher value and `resume`.
    public var maxBytes: Int?
    /// The fewest bytes that the content may have.
    ///
    /// Announced or counted, one less fails with `content_too_short`; the attempt's `excerpt` has
    /// its beginning. With `urls` the next one is asked.
    public var minBytes: Int?
    /// The types that the content may have:
    ///
    /// `text/csv`, `image/*` or `*/*`, without parameters. Content of another one fails with
    /// `content_type_not_accepted`, before it is written; the attempt's `excerpt` has its
    /// beginning. An answer without `Content-Type` is `application/octet-stream`. With `urls` the
    /// next one is asked.
    public var acceptContentTypes: [String]?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Int?
    /// Whether a download whose content is lost is fetched again without a retry; not one whose
    /// request had secrets, which were erased at its end.
    ///
    /// As the session says at the moment of the loss.
    public var refetchLost: Bool?
    /// Streams at once for a large file; the default is `LULL_SEGMENTS`.
    ///
    /// Further streams are only begun if the origin answered with a strong ETag, a length and
    /// ranges, 64 MiB are still to come, no rate holds for the download, and there is room under
    /// the limits of origin and session, against which each stream counts. Every stream sends
    /// `If-Range`; after any answer but that part of the same file the first stream continues
    /// alone.
    public var segments: Int?
    /// How many of its downloads run at once, over all replicas, further streams counted; the
    /// policy's `per_session` holds as well.
    ///
    /// Without it the session has no limit of its own.
    public var maxRunning: Int?
    /// How many connections its downloads may have at once to one origin, which is a scheme, a host
    /// and a port: over all replicas, further streams of a download counted.
    ///
    /// The limits of the deployment for an origin hold as well. Without it the session has no limit
    /// of its own.
    public var httpMaximumConnectionsPerHost: Int?
    /// Bytes a second for all its downloads together, over all replicas; a change reaches running
    /// downloads within a second, those of another replica with its next heartbeat.
    public var maxBytesPerSecond: Int?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [EventName]?
    /// `begin_hook` of the API.
    public var beginHook: BeginHook?
    /// The receiver of the files of its downloads that give no `destination`.
    public var destination: Receiver?
    /// `retry` of the API.
    public var retry: RetryRule?
    /// `http_additional_headers` of the API.
    public var httpAdditionalHeaders: [String: String]?
    /// `http_additional_headers_origins` of the API.
    public var httpAdditionalHeadersOrigins: [String]?
    /// `tls` of the API.
    public var tls: TLSMaterial?
    /// Fields that every webhook to this receiver carries (of a session: those to its
    /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most 16;
    /// sealed, and shown by their names.
    ///
    /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
    /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin of
    /// `url`: with a `url` of another origin they are dropped, unless they are given anew, and
    /// `dropped` says so.
    public var webhookHeaders: [String: String?]?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var webhookAuthorization: ReceiverCredentials?

    /// Makes one of its members; those that are left out are nil.
    public init(
        kind: Kind? = nil,
        isDiscretionary: Bool? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        waitsForConnectivity: Bool? = nil,
        sendsLaunchEvents: Bool? = nil,
        endsWithClient: String? = nil,
        timeoutIntervalForRequest: Int? = nil,
        timeoutIntervalForResource: Int? = nil,
        requireVerifiedLength: Bool? = nil,
        requireExpectedLength: Bool? = nil,
        onSourceChange: OnSourceChange? = nil,
        maxBytes: Int? = nil,
        minBytes: Int? = nil,
        acceptContentTypes: [String]? = nil,
        contentRetention: Int? = nil,
        refetchLost: Bool? = nil,
        segments: Int? = nil,
        maxRunning: Int? = nil,
        httpMaximumConnectionsPerHost: Int? = nil,
        maxBytesPerSecond: Int? = nil,
        webhookURL: String? = nil,
        webhookEvents: [EventName]? = nil,
        beginHook: BeginHook? = nil,
        destination: Receiver? = nil,
        retry: RetryRule? = nil,
        httpAdditionalHeaders: [String: String]? = nil,
        httpAdditionalHeadersOrigins: [String]? = nil,
        tls: TLSMaterial? = nil,
        webhookHeaders: [String: String?]? = nil,
        webhookAuthorization: ReceiverCredentials? = nil
    ) {
        self.kind = kind
        self.isDiscretionary = isDiscretionary
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.waitsForConnectivity = waitsForConnectivity
        self.sendsLaunchEvents = sendsLaunchEvents
        self.endsWithClient = endsWithClient
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.requireVerifiedLength = requireVerifiedLength
        self.requireExpectedLength = requireExpectedLength
        self.onSourceChange = onSourceChange
        self.maxBytes = maxBytes
        self.minBytes = minBytes
        self.acceptContentTypes = acceptContentTypes
        self.contentRetention = contentRetention
        self.refetchLost = refetchLost
        self.segments = segments
        self.maxRunning = maxRunning
        self.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        self.maxBytesPerSecond = maxBytesPerSecond
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.beginHook = beginHook
        self.destination = destination
        self.retry = retry
        self.httpAdditionalHeaders = httpAdditionalHeaders
        self.httpAdditionalHeadersOrigins = httpAdditionalHeadersOrigins
        self.tls = tls
        self.webhookHeaders = webhookHeaders
        self.webhookAuthorization = webhookAuthorization
    }

    private enum CodingKeys: String, CodingKey {
        case kind
        case isDiscretionary = "is_discretionary"
        case allowsExpensiveNetworkAccess = "allows_expensive_network_access"
        case allowsConstrainedNetworkAccess = "allows_constrained_network_access"
        case waitsForConnectivity = "waits_for_connectivity"
        case sendsLaunchEvents = "sends_launch_events"
        case endsWithClient = "ends_with_client"
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case requireVerifiedLength = "require_verified_length"
        case requireExpectedLength = "require_expected_length"
        case onSourceChange = "on_source_change"
        case maxBytes = "max_bytes"
        case minBytes = "min_bytes"
        case acceptContentTypes = "accept_content_types"
        case contentRetention = "content_retention"
        case refetchLost = "refetch_lost"
        case segments
        case maxRunning = "max_running"
        case httpMaximumConnectionsPerHost = "http_maximum_connections_per_host"
        case maxBytesPerSecond = "max_bytes_per_second"
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case beginHook = "begin_hook"
        case destination
        case retry
        case httpAdditionalHeaders = "http_additional_headers"
        case httpAdditionalHeadersOrigins = "http_additional_headers_origins"
        case tls
        case webhookHeaders = "webhook_headers"
        case webhookAuthorization = "webhook_authorization"
    }

    /// What downloads leave behind; it never changes.
    ///
    /// `ephemeral`: queries of their URLs are never shown, and erased at their end with all other
    /// secrets, so that a retry needs the `url` again; content goes with its first whole read, and
    /// is kept for ten minutes at most.
    public struct Kind: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `background`.
        public static let background = Kind(rawValue: "background")

        /// `ephemeral`.
        public static let ephemeral = Kind(rawValue: "ephemeral")
    }
}
