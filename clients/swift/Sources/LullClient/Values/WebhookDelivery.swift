// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `WebhookDelivery` of the API.
public struct WebhookDelivery: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// The event's identifier, its `webhook-id`; null once it is not kept.
    public var event: String?
    /// `type` of the API.
    public var type: String?
    /// Null for an event that is not of a download.
    public var download: String?
    /// The endpoint's identifier;
    ///
    /// `default` for a `webhook_url`.
    public var endpoint: String
    /// Null once it is erased.
    public var url: String?
    /// `pending`: it waits for a try or is being sent.
    ///
    /// `exhausted`: it was tried as often as it may be, or cannot be sent. `abandoned`: its
    /// endpoint is disabled or deleted, or its URL rests.
    public var state: DeliveryState
    /// `attempt_count` of the API.
    public var attemptCount: Int
    /// What came of the tries, the oldest first; the last fifty.
    public var attempts: [DeliveryAttempt]
    /// Why it ended without success, or what the last try came to.
    public var error: String?
    /// `event_at` of the API.
    public var eventAt: Date?
    /// `next_attempt_at` of the API.
    public var nextAttemptAt: Date?
    /// `completed_at` of the API.
    public var completedAt: Date?
    /// The delivery whose message to people counted this one, and whose end it has; null for one
    /// that is sent by itself.
    public var countedIn: String?
    /// What is sent; in lists, and once it is erased, absent.
    public var request: Request?

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        endpoint: String,
        state: DeliveryState,
        attemptCount: Int,
        attempts: [DeliveryAttempt],
        event: String? = nil,
        type: String? = nil,
        download: String? = nil,
        url: String? = nil,
        error: String? = nil,
        eventAt: Date? = nil,
        nextAttemptAt: Date? = nil,
        completedAt: Date? = nil,
        countedIn: String? = nil,
        request: Request? = nil
    ) {
        self.id = id
        self.event = event
        self.type = type
        self.download = download
        self.endpoint = endpoint
        self.url = url
        self.state = state
        self.attemptCount = attemptCount
        self.attempts = attempts
        self.error = error
        self.eventAt = eventAt
        self.nextAttemptAt = nextAttemptAt
        self.completedAt = completedAt
        self.countedIn = countedIn
        self.request = request
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case event
        case type
        case download
        case endpoint
        case url
        case state
        case attemptCount = "attempt_count"
        case attempts
        case error
        case eventAt = "event_at"
        case nextAttemptAt = "next_attempt_at"
        case completedAt = "completed_at"
        case countedIn = "counted_in"
        case request
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.event, forKey: .event)
        try members.encode(self.type, forKey: .type)
        try members.encode(self.download, forKey: .download)
        try members.encode(self.endpoint, forKey: .endpoint)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.state, forKey: .state)
        try members.encode(self.attemptCount, forKey: .attemptCount)
        try members.encode(self.attempts, forKey: .attempts)
        try members.encode(self.error, forKey: .error)
        try members.encode(self.eventAt, forKey: .eventAt)
        try members.encode(self.nextAttemptAt, forKey: .nextAttemptAt)
        try members.encode(self.completedAt, forKey: .completedAt)
        try members.encode(self.countedIn, forKey: .countedIn)
        try members.encodeIfPresent(self.request, forKey: .request)
    }

    /// What is sent; in lists, and once it is erased, absent.
    public struct Request: Codable, Hashable, Sendable {
        /// The bytes of the body; for people it is made into a text.
        public var body: String

        /// Makes one of its members; those that are left out are nil.
        public init(
            body: String
        ) {
            self.body = body
        }

        private enum CodingKeys: String, CodingKey {
            case body
        }
    }
}
