// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `ContentLink` of the API.
public struct ContentLink: Codable, Hashable, Sendable {
    /// The address of the content.
    public var href: String
    /// When the link ends, a full second.
    public var expiresAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        href: String,
        expiresAt: Date
    ) {
        self.href = href
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case href
        case expiresAt = "expires_at"
    }
}
