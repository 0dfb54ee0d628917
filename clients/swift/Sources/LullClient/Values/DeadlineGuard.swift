// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How early a download with a deadline stops waiting for soft rules.
public struct DeadlineGuard: Codable, Hashable, Sendable {
    /// The quantile of past rates by which the time of a download is estimated.
    public var quantile: Double?
    /// The time that is reserved before a deadline.
    public var margin: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        quantile: Double? = nil,
        margin: String? = nil
    ) {
        self.quantile = quantile
        self.margin = margin
    }

    private enum CodingKeys: String, CodingKey {
        case quantile
        case margin
    }
}
