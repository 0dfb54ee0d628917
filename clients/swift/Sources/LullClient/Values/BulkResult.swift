// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `BulkResult` of the API.
public struct BulkResult: Codable, Hashable, Sendable {
    /// `matched` of the API.
    public var matched: Int
    /// `changed` of the API.
    public var changed: Int
    /// How many were not retried because the queue of the app is full; left out if none.
    public var overQuota: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        matched: Int,
        changed: Int,
        overQuota: Int? = nil
    ) {
        self.matched = matched
        self.changed = changed
        self.overQuota = overQuota
    }

    private enum CodingKeys: String, CodingKey {
        case matched
        case changed
        case overQuota = "over_quota"
    }
}
