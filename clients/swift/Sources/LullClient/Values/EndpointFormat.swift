// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `standard`: signed webhooks.
///
/// The others are messages to people, without a signature, at most one a minute for each endpoint,
/// and what came meanwhile is counted in the next: `slack` and `discord` for their incoming
/// webhooks, `ntfy` for the URL of a topic, `email` for an address. They tell no `session.wake` and
/// no progress. At most 20 endpoints of an app have the format `email`, which needs
/// `LULL_SMTP_URL`.
public struct EndpointFormat: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `standard`.
    public static let standard = EndpointFormat(rawValue: "standard")

    /// `slack`.
    public static let slack = EndpointFormat(rawValue: "slack")

    /// `discord`.
    public static let discord = EndpointFormat(rawValue: "discord")

    /// `ntfy`.
    public static let ntfy = EndpointFormat(rawValue: "ntfy")

    /// `email`.
    public static let email = EndpointFormat(rawValue: "email")
}
