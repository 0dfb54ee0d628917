// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// Quantiles:
///
/// `p10` to `p90` should hold what comes in 80 % of all cases.
public struct InstantQuantiles: Codable, Hashable, Sendable {
    /// RFC 3339 in UTC with milliseconds.
    public var p10: Date
    /// RFC 3339 in UTC with milliseconds.
    public var p50: Date
    /// RFC 3339 in UTC with milliseconds.
    public var p90: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        p10: Date,
        p50: Date,
        p90: Date
    ) {
        self.p10 = p10
        self.p50 = p50
        self.p90 = p90
    }

    private enum CodingKeys: String, CodingKey {
        case p10
        case p50
        case p90
    }
}
