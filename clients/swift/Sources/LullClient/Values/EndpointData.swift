// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `EndpointData` of the API.
public struct EndpointData: Codable, Hashable, Sendable {
    /// `id` of the API.
    public var id: String
    /// `url` of the API.
    public var url: String
    /// `description` of the API.
    public var description: String?
    /// RFC 3339 in UTC with milliseconds.
    public var disabledAt: Date?
    /// `disabled_reason` of the API.
    public var disabledReason: DisabledReason?
    /// `app` of the API.
    public var app: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        id: String,
        url: String,
        app: String,
        description: String? = nil,
        disabledAt: Date? = nil,
        disabledReason: DisabledReason? = nil
    ) {
        self.id = id
        self.url = url
        self.description = description
        self.disabledAt = disabledAt
        self.disabledReason = disabledReason
        self.app = app
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case url
        case description
        case disabledAt = "disabled_at"
        case disabledReason = "disabled_reason"
        case app
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.id, forKey: .id)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.description, forKey: .description)
        try members.encodeIfPresent(self.disabledAt, forKey: .disabledAt)
        try members.encodeIfPresent(self.disabledReason, forKey: .disabledReason)
        try members.encode(self.app, forKey: .app)
    }

    /// `DisabledReason` of the API.
    public struct DisabledReason: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `gone`.
        public static let gone = DisabledReason(rawValue: "gone")

        /// `failing`.
        public static let failing = DisabledReason(rawValue: "failing")
    }
}
