// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// `RecoveredTime` of the API.
public struct RecoveredTime: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var since: Date
    /// The end of the range; null for the instant of the request.
    public var until: Date?

    /// Makes one of its members; those that are left out are nil.
    public init(
        since: Date,
        until: Date? = nil
    ) {
        self.since = since
        self.until = until
    }

    private enum CodingKeys: String, CodingKey {
        case since
        case until
    }
}
