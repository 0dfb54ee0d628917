// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Members of a session's configuration; null takes one away.
public struct SessionPatch: Codable, Hashable, Sendable {
    /// `is_discretionary` of the API.
    public var isDiscretionary: Change<Bool>?
    /// `allows_expensive_network_access` of the API.
    public var allowsExpensiveNetworkAccess: Change<Bool>?
    /// `allows_constrained_network_access` of the API.
    public var allowsConstrainedNetworkAccess: Change<Bool>?
    /// `waits_for_connectivity` of the API.
    public var waitsForConnectivity: Change<Bool>?
    /// `sends_launch_events` of the API.
    public var sendsLaunchEvents: Change<Bool>?
    /// `ends_with_client` of the API.
    public var endsWithClient: Change<String>?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Change<Int>?
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Change<Int>?
    /// Whether content fails (`length_unverified`) whose end cannot be verified: by
    /// `Content-Length`, chunks, `Content-Range`, or a digest of yours or the origin's.
    ///
    /// The default is `false`: then `content.length_verified` has the result. A matching digest
    /// verifies the length too; the expected number of bytes does not.
    public var requireVerifiedLength: Change<Bool>?
    /// Whether content fails (`expected_length_mismatch`) that has not exactly
    /// `count_of_bytes_client_expects_to_receive` bytes, announced or counted.
    ///
    /// The default is `false`: then the number is a hint, and `content.expected_length_matched` has
    /// the result. Without the number there is no check.
    public var requireExpectedLength: Change<Bool>?
    /// What happens to received bytes when the origin has another version:
    ///
    /// `restart` (the default) fetches it from the beginning, `ask` keeps them and sets
    /// `attention_required`, code `source_changed` (`resume` starts over, another `url` may
    /// continue them), `fail` ends the download.
    public var onSourceChange: Change<OnSourceChange>?
    /// The most bytes that the content may have.
    ///
    /// Announced or counted, one more is `attention_required` with `data_length_exceeds_maximum`;
    /// the bytes are kept, and continued after a higher value and `resume`.
    public var maxBytes: Change<Int>?
    /// The fewest bytes that the content may have.
    ///
    /// Announced or counted, one less fails with `content_too_short`; the attempt's `excerpt` has
    /// its beginning. With `urls` the next one is asked.
    public var minBytes: Change<Int>?
    /// The types that the content may have:
    ///
    /// `text/csv`, `image/*` or `*/*`, without parameters. Content of another one fails with
    /// `content_type_not_accepted`, before it is written; the attempt's `excerpt` has its
    /// beginning. An answer without `Content-Type` is `application/octet-stream`. With `urls` the
    /// next one is asked.
    public var acceptContentTypes: Change<[String]>?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Change<Int>?
    /// `refetch_lost` of the API.
    public var refetchLost: Change<Bool>?
    /// Streams at once for a large file; the default is `LULL_SEGMENTS`.
    ///
    /// Further streams are only begun if the origin answered with a strong ETag, a length and
    /// ranges, 64 MiB are still to come, no rate holds for the download, and there is room under
    /// the limits of origin and session, against which each stream counts. Every stream sends
    /// `If-Range`; after any answer but that part of the same file the first stream continues
    /// alone.
    public var segments: Change<Int>?
    /// `max_running` of the API.
    public var maxRunning: Change<Int>?
    /// `http_maximum_connections_per_host` of the API.
    public var httpMaximumConnectionsPerHost: Change<Int>?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Change<Int>?
    /// `webhook_url` of the API.
    public var webhookURL: Change<String>?
    /// `webhook_events` of the API.
    public var webhookEvents: Change<[EventName]>?
    /// `begin_hook` of the API.
    public var beginHook: Change<BeginHook>?
    /// `destination` of the API.
    public var destination: Change<Receiver>?
    /// `retry` of the API.
    public var retry: Change<RetryRule>?
    /// `http_additional_headers` of the API.
    public var httpAdditionalHeaders: Change<[String: String?]>?
    /// `http_additional_headers_origins` of the API.
    public var httpAdditionalHeadersOrigins: Change<[String]>?
    /// `tls` of the API.
    public var tls: Change<TLSMaterial>?
    /// Fields that every webhook to this receiver carries (of a session: those to its
    /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most 16;
    /// sealed, and shown by their names.
    ///
    /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
    /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin of
    /// `url`: with a `url` of another origin they are dropped, unless they are given anew, and
    /// `dropped` says so.
    public var webhookHeaders: Change<[String: String?]>?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var webhookAuthorization: Change<ReceiverCredentials>?
    /// That of the session; it never changes.
    public var kind: Change<Kind>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        isDiscretionary: Change<Bool>? = nil,
        allowsExpensiveNetworkAccess: Change<Bool>? = nil,
        allowsConstrainedNetworkAccess: Change<Bool>? = nil,
        waitsForConnectivity: Change<Bool>? = nil,
        sendsLaunchEvents: Change<Bool>? = nil,
        endsWithClient: Change<String>? = nil,
        timeoutIntervalForRequest: Change<Int>? = nil,
        timeoutIntervalForResource: Change<Int>? = nil,
        requireVerifiedLength: Change<Bool>? = nil,
        requireExpectedLength: Change<Bool>? = nil,
        onSourceChange: Change<OnSourceChange>? = nil,
        maxBytes: Change<Int>? = nil,
        minBytes: Change<Int>? = nil,
        acceptContentTypes: Change<[String]>? = nil,
        contentRetention: Change<Int>? = nil,
        refetchLost: Change<Bool>? = nil,
        segments: Change<Int>? = nil,
        maxRunning: Change<Int>? = nil,
        httpMaximumConnectionsPerHost: Change<Int>? = nil,
        maxBytesPerSecond: Change<Int>? = nil,
        webhookURL: Change<String>? = nil,
        webhookEvents: Change<[EventName]>? = nil,
        beginHook: Change<BeginHook>? = nil,
        destination: Change<Receiver>? = nil,
        retry: Change<RetryRule>? = nil,
        httpAdditionalHeaders: Change<[String: String?]>? = nil,
        httpAdditionalHeadersOrigins: Change<[String]>? = nil,
        tls: Change<TLSMaterial>? = nil,
        webhookHeaders: Change<[String: String?]>? = nil,
        webhookAuthorization: Change<ReceiverCredentials>? = nil,
        kind: Change<Kind>? = nil
    ) {
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
        self.kind = kind
    }

    private enum CodingKeys: String, CodingKey {
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
        case kind
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.isDiscretionary = try members.change(Bool.self, at: .isDiscretionary)
        self.allowsExpensiveNetworkAccess = try members.change(Bool.self, at: .allowsExpensiveNetworkAccess)
        self.allowsConstrainedNetworkAccess = try members.change(Bool.self, at: .allowsConstrainedNetworkAccess)
        self.waitsForConnectivity = try members.change(Bool.self, at: .waitsForConnectivity)
        self.sendsLaunchEvents = try members.change(Bool.self, at: .sendsLaunchEvents)
        self.endsWithClient = try members.change(String.self, at: .endsWithClient)
        self.timeoutIntervalForRequest = try members.change(Int.self, at: .timeoutIntervalForRequest)
        self.timeoutIntervalForResource = try members.change(Int.self, at: .timeoutIntervalForResource)
        self.requireVerifiedLength = try members.change(Bool.self, at: .requireVerifiedLength)
        self.requireExpectedLength = try members.change(Bool.self, at: .requireExpectedLength)
        self.onSourceChange = try members.change(OnSourceChange.self, at: .onSourceChange)
        self.maxBytes = try members.change(Int.self, at: .maxBytes)
        self.minBytes = try members.change(Int.self, at: .minBytes)
        self.acceptContentTypes = try members.change([String].self, at: .acceptContentTypes)
        self.contentRetention = try members.change(Int.self, at: .contentRetention)
        self.refetchLost = try members.change(Bool.self, at: .refetchLost)
        self.segments = try members.change(Int.self, at: .segments)
        self.maxRunning = try members.change(Int.self, at: .maxRunning)
        self.httpMaximumConnectionsPerHost = try members.change(Int.self, at: .httpMaximumConnectionsPerHost)
        self.maxBytesPerSecond = try members.change(Int.self, at: .maxBytesPerSecond)
        self.webhookURL = try members.change(String.self, at: .webhookURL)
        self.webhookEvents = try members.change([EventName].self, at: .webhookEvents)
        self.beginHook = try members.change(BeginHook.self, at: .beginHook)
        self.destination = try members.change(Receiver.self, at: .destination)
        self.retry = try members.change(RetryRule.self, at: .retry)
        self.httpAdditionalHeaders = try members.change([String: String?].self, at: .httpAdditionalHeaders)
        self.httpAdditionalHeadersOrigins = try members.change([String].self, at: .httpAdditionalHeadersOrigins)
        self.tls = try members.change(TLSMaterial.self, at: .tls)
        self.webhookHeaders = try members.change([String: String?].self, at: .webhookHeaders)
        self.webhookAuthorization = try members.change(ReceiverCredentials.self, at: .webhookAuthorization)
        self.kind = try members.change(Kind.self, at: .kind)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encodeIfPresent(self.allowsExpensiveNetworkAccess, forKey: .allowsExpensiveNetworkAccess)
        try members.encodeIfPresent(self.allowsConstrainedNetworkAccess, forKey: .allowsConstrainedNetworkAccess)
        try members.encodeIfPresent(self.waitsForConnectivity, forKey: .waitsForConnectivity)
        try members.encodeIfPresent(self.sendsLaunchEvents, forKey: .sendsLaunchEvents)
        try members.encodeIfPresent(self.endsWithClient, forKey: .endsWithClient)
        try members.encodeIfPresent(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encodeIfPresent(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encodeIfPresent(self.requireVerifiedLength, forKey: .requireVerifiedLength)
        try members.encodeIfPresent(self.requireExpectedLength, forKey: .requireExpectedLength)
        try members.encodeIfPresent(self.onSourceChange, forKey: .onSourceChange)
        try members.encodeIfPresent(self.maxBytes, forKey: .maxBytes)
        try members.encodeIfPresent(self.minBytes, forKey: .minBytes)
        try members.encodeIfPresent(self.acceptContentTypes, forKey: .acceptContentTypes)
        try members.encodeIfPresent(self.contentRetention, forKey: .contentRetention)
        try members.encodeIfPresent(self.refetchLost, forKey: .refetchLost)
        try members.encodeIfPresent(self.segments, forKey: .segments)
        try members.encodeIfPresent(self.maxRunning, forKey: .maxRunning)
        try members.encodeIfPresent(self.httpMaximumConnectionsPerHost, forKey: .httpMaximumConnectionsPerHost)
        try members.encodeIfPresent(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encodeIfPresent(self.webhookURL, forKey: .webhookURL)
        try members.encodeIfPresent(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.destination, forKey: .destination)
        try members.encodeIfPresent(self.retry, forKey: .retry)
        try members.encodeIfPresent(self.httpAdditionalHeaders, forKey: .httpAdditionalHeaders)
        try members.encodeIfPresent(self.httpAdditionalHeadersOrigins, forKey: .httpAdditionalHeadersOrigins)
        try members.encodeIfPresent(self.tls, forKey: .tls)
        try members.encodeIfPresent(self.webhookHeaders, forKey: .webhookHeaders)
        try members.encodeIfPresent(self.webhookAuthorization, forKey: .webhookAuthorization)
        try members.encodeIfPresent(self.kind, forKey: .kind)
    }

    /// That of the session; it never changes.
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
