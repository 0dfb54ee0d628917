// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `KeyScope` of the API.
public struct KeyScope: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `downloads:write`.
    public static let downloadsWrite = KeyScope(rawValue: "downloads:write")

    /// `downloads:read`.
    public static let downloadsRead = KeyScope(rawValue: "downloads:read")

    /// `content:read`.
    public static let contentRead = KeyScope(rawValue: "content:read")

    /// `uploads:write`.
    public static let uploadsWrite = KeyScope(rawValue: "uploads:write")

    /// `uploads:read`.
    public static let uploadsRead = KeyScope(rawValue: "uploads:read")

    /// `webhooks`.
    public static let webhooks = KeyScope(rawValue: "webhooks")

    /// `admin`.
    public static let admin = KeyScope(rawValue: "admin")
}
