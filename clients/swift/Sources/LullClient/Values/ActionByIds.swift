// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// An action on what is named.
public struct ActionByIds: Codable, Hashable, Sendable {
    /// What is done to each.
    public var action: BulkAction
    /// The identifiers, of downloads or of uploads, in place of a filter.
    public var ids: [String]

    /// Makes one of its members; those that are left out are nil.
    public init(
        action: BulkAction,
        ids: [String]
    ) {
        self.action = action
        self.ids = ids
    }

    private enum CodingKeys: String, CodingKey {
        case action
        case ids
    }
}
