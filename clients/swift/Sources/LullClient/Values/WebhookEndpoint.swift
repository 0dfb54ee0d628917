// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `WebhookEndpoint` of the API.
public struct WebhookEndpoint: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// Null for `default`.
    public var url: String?
    /// The events that it hears; null for `download.succeeded`, `download.failed`,
    /// `download.canceled`, `download.attention_required`, `download.deadline_at_risk`,
    /// `endpoint.disabled` and `delivery.exhausted`.
    ///
    /// A client is woken through it only if it names `session.wake`, `session.*` or `*`.
    public var events: [EventName]?
    /// The sessions that it hears of; null for all.
    public var sessions: [String]?
    /// `description` of the API.
    public var description: String?
    /// `standard`: signed webhooks.
    ///
    /// The others are messages to people, without a signature, at most one a minute for each
    /// endpoint, and what came meanwhile is counted in the next: `slack` and `discord` for their
    /// incoming webhooks, `ntfy` for the URL of a topic, `email` for an address. They tell no
    /// `session.wake` and no progress. At most 20 endpoints of an app have the format `email`,
    /// which needs `LULL_SMTP_URL`.
    public var format: EndpointFormat
    /// `enabled` of the API.
    public var enabled: Bool
    /// The names of the fields that webhooks carry; values are not shown.
    public var headers: [String: String]
    /// The type of the credentials that webhooks carry.
    public var authorization: ShownCredentials?
    /// Of a PATCH:
    ///
    /// `headers` and `authorization` that were given for another origin than that of the new `url`,
    /// and are gone.
    public var dropped: [String]?
    /// `disabled_at` of the API.
    public var disabledAt: Date?
    /// `client`: by PATCH.
    ///
    /// `gone`: it answered 410. `failing`: no 2xx for `LULL_WEBHOOK_DISABLE_AFTER` and many
    /// failures.
    public var disabledReason: DisabledReason?
    /// `created_at` of the API.
    public var createdAt: Date?
    /// `updated_at` of the API.
    public var updatedAt: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        format: EndpointFormat,
        enabled: Bool,
        headers: [String: String],
        url: String? = nil,
        events: [EventName]? = nil,
        sessions: [String]? = nil,
        description: String? = nil,
        authorization: ShownCredentials? = nil,
        dropped: [String]? = nil,
        disabledAt: Date? = nil,
        disabledReason: DisabledReason? = nil,
        createdAt: Date? = nil,
        updatedAt: Date? = nil
    ) {
        self.id = id
        self.url = url
        self.events = events
        self.sessions = sessions
        self.description = description
        self.format = format
        self.enabled = enabled
        self.headers = headers
        self.authorization = authorization
        self.dropped = dropped
        self.disabledAt = disabledAt
        self.disabledReason = disabledReason
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case url
        case events
        case sessions
        case description
        case format
        case enabled
        case headers
        case authorization
        case dropped
        case disabledAt = "disabled_at"
        case disabledReason = "disabled_reason"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.events, forKey: .events)
        try members.encode(self.sessions, forKey: .sessions)
        try members.encode(self.description, forKey: .description)
        try members.encode(self.format, forKey: .format)
        try members.encode(self.enabled, forKey: .enabled)
        try members.encode(self.headers, forKey: .headers)
        try members.encode(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.dropped, forKey: .dropped)
        try members.encode(self.disabledAt, forKey: .disabledAt)
        try members.encode(self.disabledReason, forKey: .disabledReason)
        try members.encode(self.createdAt, forKey: .createdAt)
        try members.encode(self.updatedAt, forKey: .updatedAt)
    }

    /// `client`: by PATCH.
    ///
    /// `gone`: it answered 410. `failing`: no 2xx for `LULL_WEBHOOK_DISABLE_AFTER` and many
    /// failures.
    public struct DisabledReason: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `client`.
        public static let client = DisabledReason(rawValue: "client")

        /// `gone`.
        public static let gone = DisabledReason(rawValue: "gone")

        /// `failing`.
        public static let failing = DisabledReason(rawValue: "failing")
    }
}
