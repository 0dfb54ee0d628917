// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// The median of instants.
public struct InstantMedian: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var p50: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        p50: Date
    ) {
        self.p50 = p50
    }

    private enum CodingKeys: String, CodingKey {
        case p50
    }
}
