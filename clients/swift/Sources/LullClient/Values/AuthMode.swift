// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Whether requests need a key.
public struct AuthMode: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `keys`.
    public static let keys = AuthMode(rawValue: "keys")

    /// `none`.
    public static let none = AuthMode(rawValue: "none")
}
