// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `DeliveryData` of the API.
public struct DeliveryData: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// `event` of the API.
    public var event: String
    /// Null for an event that is not of a download.
    public var download: String?
    /// `endpoint` of the API.
    public var endpoint: String
    /// That of the endpoint; null for `default`.
    public var url: String?
    /// `attempts` of the API.
    public var attempts: Int
    /// `http_status` of the API.
    public var httpStatus: Int?
    /// `app` of the API.
    public var app: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        event: String,
        endpoint: String,
        attempts: Int,
        app: String,
        download: String? = nil,
        url: String? = nil,
        httpStatus: Int? = nil
    ) {
        self.id = id
        self.event = event
        self.download = download
        self.endpoint = endpoint
        self.url = url
        self.attempts = attempts
        self.httpStatus = httpStatus
        self.app = app
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case event
        case download
        case endpoint
        case url
        case attempts
        case httpStatus = "http_status"
        case app
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.event, forKey: .event)
        try members.encode(self.download, forKey: .download)
        try members.encode(self.endpoint, forKey: .endpoint)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.attempts, forKey: .attempts)
        try members.encode(self.httpStatus, forKey: .httpStatus)
        try members.encode(self.app, forKey: .app)
    }
}
