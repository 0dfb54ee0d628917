// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `NewWebhookEndpoint` of the API.
public struct NewWebhookEndpoint: Codable, Hashable, Sendable {
    /// Where events go: an http or https URL that the operator allows; for the format `email`
    /// `mailto:` and one address.
    public var url: String
    /// The events that it hears; null for `download.succeeded`, `download.failed`,
    /// `download.canceled`, `download.attention_required`, `download.deadline_at_risk`,
    /// `endpoint.disabled` and `delivery.exhausted`.
    ///
    /// A client is woken through it only if it names `session.wake`, `session.*` or `*`.
    public var events: [EventName]?
    /// The sessions that it hears of; null for all.
    public var sessions: [String]?
    /// For people.
    public var description: String?
    /// The form of what is sent; without it `standard`.
    public var format: EndpointFormat?
    /// Whether anything is sent.
    public var enabled: Bool?
    /// Fields that every webhook to this receiver carries (of a session: those to its
    /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most 16;
    /// sealed, and shown by their names.
    ///
    /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
    /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin of
    /// `url`: with a `url` of another origin they are dropped, unless they are given anew, and
    /// `dropped` says so.
    public var headers: [String: String?]?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var authorization: ReceiverCredentials?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        events: [EventName]? = nil,
        sessions: [String]? = nil,
        description: String? = nil,
        format: EndpointFormat? = nil,
        enabled: Bool? = nil,
        headers: [String: String?]? = nil,
        authorization: ReceiverCredentials? = nil
    ) {
        self.url = url
        self.events = events
        self.sessions = sessions
        self.description = description
        self.format = format
        self.enabled = enabled
        self.headers = headers
        self.authorization = authorization
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case events
        case sessions
        case description
        case format
        case enabled
        case headers
        case authorization
    }
}
