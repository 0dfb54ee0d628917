// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ExtendWakeAnswer` of the API.
public struct ExtendWakeAnswer: Codable, Hashable, Sendable {
    /// Names a wake; whoever has it may complete the wake.
    public var wakeToken: String
    /// RFC 3339 in UTC with milliseconds.
    public var expiresAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        wakeToken: String,
        expiresAt: Date
    ) {
        self.wakeToken = wakeToken
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case wakeToken = "wake_token"
        case expiresAt = "expires_at"
    }
}
