// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `UploadPatch` of the API.
public struct UploadPatch: Codable, Hashable, Sendable {
    /// `priority` of the API.
    public var priority: Change<Double>?
    /// `earliest_begin_date` of the API.
    public var earliestBeginDate: Change<Date>?
    /// `begin_deadline` of the API.
    public var beginDeadline: Change<Date>?
    /// `complete_by` of the API.
    public var completeBy: Change<Date>?
    /// `is_discretionary` of the API.
    public var isDiscretionary: Change<Bool>?
    /// `task_description` of the API.
    public var taskDescription: Change<String>?
    /// `metadata` of the API.
    public var metadata: Change<[String: String?]>?
    /// `max_bytes_per_second` of the API.
    public var maxBytesPerSecond: Change<Int>?
    /// `expected_digest` of the API.
    public var expectedDigest: Change<String>?
    /// The name of the file; before the one that the origin offers.
    ///
    /// Of a path the last part counts, control characters and leading dots go, and what is left is
    /// shown.
    public var filename: Change<String>?
    /// Changes of a `Destination` or a `Receiver`;
    ///
    /// `headers` are merged by name, null takes one away.
    public var destination: DestinationPatch?
    /// `webhook_url` of the API.
    public var webhookURL: Change<String>?
    /// `webhook_events` of the API.
    public var webhookEvents: Change<[EventName]>?
    /// `timeout_interval_for_request` of the API.
    public var timeoutIntervalForRequest: Change<Int>?
    /// `timeout_interval_for_resource` of the API.
    public var timeoutIntervalForResource: Change<Int>?
    /// Seconds from its success for which the content of a download is kept, and from its failure
    /// for which its bytes are; a download's overrides its session's, and the default is
    /// `LULL_CONTENT_RETENTION`.
    ///
    /// `download.content_expiring` is sent a day before the end, or a tenth of the time, whichever
    /// is less; `download.content_expired` when the content is removed.
    public var contentRetention: Change<Int>?
    /// `retry` of the API.
    public var retry: Change<RetryRule>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        priority: Change<Double>? = nil,
        earliestBeginDate: Change<Date>? = nil,
        beginDeadline: Change<Date>? = nil,
        completeBy: Change<Date>? = nil,
        isDiscretionary: Change<Bool>? = nil,
        taskDescription: Change<String>? = nil,
        metadata: Change<[String: String?]>? = nil,
        maxBytesPerSecond: Change<Int>? = nil,
        expectedDigest: Change<String>? = nil,
        filename: Change<String>? = nil,
        destination: DestinationPatch? = nil,
        webhookURL: Change<String>? = nil,
        webhookEvents: Change<[EventName]>? = nil,
        timeoutIntervalForRequest: Change<Int>? = nil,
        timeoutIntervalForResource: Change<Int>? = nil,
        contentRetention: Change<Int>? = nil,
        retry: Change<RetryRule>? = nil
    ) {
        self.priority = priority
        self.earliestBeginDate = earliestBeginDate
        self.beginDeadline = beginDeadline
        self.completeBy = completeBy
        self.isDiscretionary = isDiscretionary
        self.taskDescription = taskDescription
        self.metadata = metadata
        self.maxBytesPerSecond = maxBytesPerSecond
        self.expectedDigest = expectedDigest
        self.filename = filename
        self.destination = destination
        self.webhookURL = webhookURL
        self.webhookEvents = webhookEvents
        self.timeoutIntervalForRequest = timeoutIntervalForRequest
        self.timeoutIntervalForResource = timeoutIntervalForResource
        self.contentRetention = contentRetention
        self.retry = retry
    }

    private enum CodingKeys: String, CodingKey {
        case priority
        case earliestBeginDate = "earliest_begin_date"
        case beginDeadline = "begin_deadline"
        case completeBy = "complete_by"
        case isDiscretionary = "is_discretionary"
        case taskDescription = "task_description"
        case metadata
        case maxBytesPerSecond = "max_bytes_per_second"
        case expectedDigest = "expected_digest"
        case filename
        case destination
        case webhookURL = "webhook_url"
        case webhookEvents = "webhook_events"
        case timeoutIntervalForRequest = "timeout_interval_for_request"
        case timeoutIntervalForResource = "timeout_interval_for_resource"
        case contentRetention = "content_retention"
        case retry
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.priority = try members.change(Double.self, at: .priority)
        self.earliestBeginDate = try members.change(Date.self, at: .earliestBeginDate)
        self.beginDeadline = try members.change(Date.self, at: .beginDeadline)
        self.completeBy = try members.change(Date.self, at: .completeBy)
        self.isDiscretionary = try members.change(Bool.self, at: .isDiscretionary)
        self.taskDescription = try members.change(String.self, at: .taskDescription)
        self.metadata = try members.change([String: String?].self, at: .metadata)
        self.maxBytesPerSecond = try members.change(Int.self, at: .maxBytesPerSecond)
        self.expectedDigest = try members.change(String.self, at: .expectedDigest)
        self.filename = try members.change(String.self, at: .filename)
        self.destination = try members.decodeIfPresent(DestinationPatch.self, forKey: .destination)
        self.webhookURL = try members.change(String.self, at: .webhookURL)
        self.webhookEvents = try members.change([EventName].self, at: .webhookEvents)
        self.timeoutIntervalForRequest = try members.change(Int.self, at: .timeoutIntervalForRequest)
        self.timeoutIntervalForResource = try members.change(Int.self, at: .timeoutIntervalForResource)
        self.contentRetention = try members.change(Int.self, at: .contentRetention)
        self.retry = try members.change(RetryRule.self, at: .retry)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.priority, forKey: .priority)
        try members.encodeIfPresent(self.earliestBeginDate, forKey: .earliestBeginDate)
        try members.encodeIfPresent(self.beginDeadline, forKey: .beginDeadline)
        try members.encodeIfPresent(self.completeBy, forKey: .completeBy)
        try members.encodeIfPresent(self.isDiscretionary, forKey: .isDiscretionary)
        try members.encodeIfPresent(self.taskDescription, forKey: .taskDescription)
        try members.encodeIfPresent(self.metadata, forKey: .metadata)
        try members.encodeIfPresent(self.maxBytesPerSecond, forKey: .maxBytesPerSecond)
        try members.encodeIfPresent(self.expectedDigest, forKey: .expectedDigest)
        try members.encodeIfPresent(self.filename, forKey: .filename)
        try members.encodeIfPresent(self.destination, forKey: .destination)
        try members.encodeIfPresent(self.webhookURL, forKey: .webhookURL)
        try members.encodeIfPresent(self.webhookEvents, forKey: .webhookEvents)
        try members.encodeIfPresent(self.timeoutIntervalForRequest, forKey: .timeoutIntervalForRequest)
        try members.encodeIfPresent(self.timeoutIntervalForResource, forKey: .timeoutIntervalForResource)
        try members.encodeIfPresent(self.contentRetention, forKey: .contentRetention)
        try members.encodeIfPresent(self.retry, forKey: .retry)
    }
}
