// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How calls are signed.
public struct TriggerSignature: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `none`.
    public static let none = TriggerSignature(rawValue: "none")

    /// `github`.
    public static let github = TriggerSignature(rawValue: "github")

    /// `standard_webhooks`.
    public static let standardWebhooks = TriggerSignature(rawValue: "standard_webhooks")
}
