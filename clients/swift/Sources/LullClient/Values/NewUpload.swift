// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `NewUpload` of the API.
public struct NewUpload: Codable, Hashable, Sendable {
    /// Where the file goes, a store of the operator or a server.
    public var destination: DestinationOrReceiver
    /// The exact number of bytes, at most `LULL_UPLOAD_MAX`; required without `from`.
    public var length: Int?
    /// In place of `length`, the content of a download that a replica holds.
    public var from: ContentOfDownload?
    /// `session` of the API.
    public var session: String?
    /// `earliest_begin_date` of the API.
    public var earliestBeginDate: Date?
    /// `begin_deadline` of the API.
    public var beginDeadline: Date?
    /// `complete_by` of the API.
    public var completeBy: Date?
    /// A hint; the policy plans with `length`.
    public var countOfBytesClientExpectsToSend: Int?
    /// `priority` of the API.
    public var priority: Double?
    /// `external_id` of the API.
    public var externalID: String?
    /// `task_description` of the API.
    public var taskDescription: String?
    /// `metadata` of the API.
    public var metadata: [String: String]?
    /// The digest that the bytes of the client must have; see a new download.
    public var expectedDigest: String?
    /// The name of the file; before the one that the origin offers.
    ///
    /// Of a path the last part counts, control characters and leading dots go, and what is left is
    /// shown.
    public var filename: String?
    /// `suspended` of the API.
    public var suspended: Bool?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Bool?
    /// `allows_expensive_network_access` of the API.
    public var allowsExpensiveNetworkAccess: Bool?
    /// `allows_constrained_network_access` of the API.
    public var allowsConstrainedNetworkAccess: Bool?
    /// `waits_for_connectivity` of the API.
    public var waitsForConnectivity: Bool?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Int?
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Int?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Int?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Int?
    /// `webhook_url` of the API.
    public var webhookURL: String?
    /// `webhook_events` of the API.
    public var webhookEvents: [EventName]?
    /// `retry` of the API.
    public var retry: RetryRule?

    /// Makes one of its members; those that are left out are nil.
    public init(
        destination: DestinationOrReceiver,
        length: Int? = nil,
        from: ContentOfDownload? = nil,
        session: String? = nil,
        earliestBeginDate: Date? = nil,
        beginDeadline: Date? = nil,
        completeBy: Date? = nil,
        countOfBytesClientExpectsToSend: Int? = nil,
        priority: Double? = nil,
        externalID: String? = nil,
        taskDescription: String? = nil,
        metadata: [String: String]? = nil,
        expectedDigest: String? = nil,
        filename: String? = nil,
        suspended: Bool? = nil,
        isDiscretionary: Bool? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        waitsForConnectivity: Bool? = nil,
        timeoutIntervalForRequest: Int? = nil,
        timeoutIntervalForResource: Int? = nil,
        contentRetention: Int? = nil,
        maxBytesPerSecond: Int? = nil,
        webhookURL: String? = nil,
        webhookEvents: [EventName]? = nil,
        retry: RetryRule? = nil
    ) {
        self.destination = destination
        self.length = length
        self.from = from
        self.session = session
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.countOfBytesClientExpectsToSend = countOfBytesClientExpectsToSend
        self.priority = priority
        self.externalID = externalID
        self.taskDescription = taskDescription
        self.metadata = metadata
        self.expectedDigest = expectedDigest
        self.filename = filename
        self.suspended = suspended
        self.isDiscretionary = isDiscretionary
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
    }

    private enum CodingKeys: String, CodingKey {
        case destination
        case length
        case from
        case session
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case countOfBytesClientExpectsToSend = "count_of_bytes_client_expects_to_send"
        case priority
        case externalID = "external_id"
        case taskDescription = "task_description"
        case metadata
        case expectedDigest = "expected_digest"
        case filename
        case suspended
        case isDiscretionary = "is_discretionary"
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
    }
}
