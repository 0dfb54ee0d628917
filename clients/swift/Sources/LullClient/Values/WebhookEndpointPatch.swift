// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `WebhookEndpointPatch` of the API.
public struct WebhookEndpointPatch: Codable, Hashable, Sendable {
    /// Where events go: an http or https URL that the operator allows; for the format `email`
    /// `mailto:` and one address.
    public var url: String?
    /// The events that it hears; null for `download.succeeded`, `download.failed`,
    /// `download.canceled`, `download.attention_required`, `download.deadline_at_risk`,
    /// `endpoint.disabled` and `delivery.exhausted`.
    ///
    /// A client is woken through it only if it names `session.wake`, `session.*` or `*`.
    public var events: Change<[EventName]>?
    /// The sessions that it hears of; null for all.
    public var sessions: Change<[String]>?
    /// For people.
    public var description: Change<String>?
    /// The form of what is sent; without it `standard`.
    public var format: Change<EndpointFormat>?
    /// Whether anything is sent.
    public var enabled: Change<Bool>?
    /// Fields that every webhook to this receiver carries (of a session: those to its
    /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most 16;
    /// sealed, and shown by their names.
    ///
    /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
    /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin of
    /// `url`: with a `url` of another origin they are dropped, unless they are given anew, and
    /// `dropped` says so.
    public var headers: Change<[String: String?]>?
    /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
    public var authorization: Change<ReceiverCredentials>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String? = nil,
        events: Change<[EventName]>? = nil,
        sessions: Change<[String]>? = nil,
        description: Change<String>? = nil,
        format: Change<EndpointFormat>? = nil,
        enabled: Change<Bool>? = nil,
        headers: Change<[String: String?]>? = nil,
        authorization: Change<ReceiverCredentials>? = nil
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

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.url = try members.decodeIfPresent(String.self, forKey: .url)
        self.events = try members.change([EventName].self, at: .events)
        self.sessions = try members.change([String].self, at: .sessions)
        self.description = try members.change(String.self, at: .description)
        self.format = try members.change(EndpointFormat.self, at: .format)
        self.enabled = try members.change(Bool.self, at: .enabled)
        self.headers = try members.change([String: String?].self, at: .headers)
        self.authorization = try members.change(ReceiverCredentials.self, at: .authorization)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.url, forKey: .url)
        try members.encodeIfPresent(self.events, forKey: .events)
        try members.encodeIfPresent(self.sessions, forKey: .sessions)
        try members.encodeIfPresent(self.description, forKey: .description)
        try members.encodeIfPresent(self.format, forKey: .format)
        try members.encodeIfPresent(self.enabled, forKey: .enabled)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
    }
}
