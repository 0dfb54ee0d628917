// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The members of a configuration; those that are not set are null.
public struct SessionValues: Codable, Hashable, Sendable {
    /// `kind` of the API.
    public var kind: Kind?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Bool?
    /// `allows_expensive_network_access` of the API.
    public var allowsExpensiveNetworkAccess: Bool?
    /// `allows_constrained_network_access` of the API.
    public var allowsConstrainedNetworkAccess: Bool?
    /// `waits_for_connectivity` of the API.
    public var waitsForConnectivity: Bool?
    /// `sends_launch_events` of the API.
    public var sendsLaunchEvents: Bool?
    /// `ends_with_client` of the API.
    public var endsWithClient: String?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Int?
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Int?
    /// `require_verified_length` of the API.
    public var requireVerifiedLength: Bool?
    /// `require_expected_length` of the API.
    public var requireExpectedLength: Bool?
    /// `on_source_change` of the API.
    public var onSourceChange: String?
    /// `max_bytes` of the API.
    public var maxBytes: Int?
    /// `min_bytes` of the API.
    public var minBytes: Int?
    /// `accept_content_types` of the API.
    public var acceptContentTypes: [String]?
    /// `content_retention` of the API.
    public var contentRetention: Int?
    /// `refetch_lost` of the API.
    public var refetchLost: Bool?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Int?
    /// `max_running` of the API.
    public var maxRunning: Int?
    /// `http_maximum_connections_per_host` of the API.
    public var httpMaximumConnectionsPerHost: Int?
    /// `segments` of the API.
    public var segments: Int?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [String]?
    /// `begin_hook` of the API.
    public var beginHook: BeginHook?
    /// `destination` of the API.
    public var destination: ShownReceiver?
    /// `retry` of the API.
    public var retry: RetryRule?
    /// The names, each with the value `redacted`.
    public var httpAdditionalHeaders: [String: String]
    /// `http_additional_headers_origins` of the API.
    public var httpAdditionalHeadersOrigins: [String]?
    /// The members that are set, each with the value `redacted`.
    public var tls: [String: String]?
    /// The names, each with the value `redacted`.
    public var webhookHeaders: [String: String]?
    /// The type of the credentials that webhooks carry.
    public var webhookAuthorization: ShownCredentials?

    /// Makes one of its members; those that are left out are nil.
    public init(
        httpAdditionalHeaders: [String: String],
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
        onSourceChange: String? = nil,
        maxBytes: Int? = nil,
        minBytes: Int? = nil,
        acceptContentTypes: [String]? = nil,
        contentRetention: Int? = nil,
        refetchLost: Bool? = nil,
        maxBytesPerSecond: Int? = nil,
        maxRunning: Int? = nil,
        httpMaximumConnectionsPerHost: Int? = nil,
        segments: Int? = nil,
        webhookURL: String? = nil,
        webhookEvents: [String]? = nil,
        beginHook: BeginHook? = nil,
        destination: ShownReceiver? = nil,
        retry: RetryRule? = nil,
        httpAdditionalHeadersOrigins: [String]? = nil,
        tls: [String: String]? = nil,
        webhookHeaders: [String: String]? = nil,
        webhookAuthorization: ShownCredentials? = nil
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
        self.maxBytesPerSecond = maxBytesPerSecond
        self.maxRunning = maxRunning
        self.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        self.segments = segments
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
        case maxBytesPerSecond = "max_bytes_per_second"
        case maxRunning = "max_running"
        case httpMaximumConnectionsPerHost = "http_maximum_connections_per_host"
        case segments
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

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.kind, forKey: .kind)
        try members.encode(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encode(self.allowsExpensiveNetworkAccess, forKey: .allowsExpensiveNetworkAccess)
        try members.encode(self.allowsConstrainedNetworkAccess, forKey: .allowsConstrainedNetworkAccess)
        try members.encode(self.waitsForConnectivity, forKey: .waitsForConnectivity)
        try members.encode(self.sendsLaunchEvents, forKey: .sendsLaunchEvents)
        try members.encode(self.endsWithClient, forKey: .endsWithClient)
        try members.encode(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encode(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encode(self.requireVerifiedLength, forKey: .requireVerifiedLength)
        try members.encode(self.requireExpectedLength, forKey: .requireExpectedLength)
        try members.encode(self.onSourceChange, forKey: .onSourceChange)
        try members.encode(self.maxBytes, forKey: .maxBytes)
        try members.encode(self.minBytes, forKey: .minBytes)
        try members.encode(self.acceptContentTypes, forKey: .acceptContentTypes)
        try members.encode(self.contentRetention, forKey: .contentRetention)
        try members.encode(self.refetchLost, forKey: .refetchLost)
        try members.encode(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encode(self.maxRunning, forKey: .maxRunning)
        try members.encode(self.httpMaximumConnectionsPerHost, forKey: .httpMaximumConnectionsPerHost)
        try members.encode(self.segments, forKey: .segments)
        try members.encode(self.webhookURL, forKey: .webhookURL)
        try members.encode(self.webhookEvents, forKey: .webhookEvents)
        try members.encode(self.beginHook, forKey: .beginHook)
        try members.encode(self.destination, forKey: .destination)
        try members.encode(self.retry, forKey: .retry)
        try members.encode(self.httpAdditionalHeaders, forKey: .httpAdditionalHeaders)
        try members.encode(self.httpAdditionalHeadersOrigins, forKey: .httpAdditionalHeadersOrigins)
        try members.encode(self.tls, forKey: .tls)
        try members.encodeIfPresent(self.webhookHeaders, forKey: .webhookHeaders)
        try members.encodeIfPresent(self.webhookAuthorization, forKey: .webhookAuthorization)
    }

    /// `Kind` of the API.
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
