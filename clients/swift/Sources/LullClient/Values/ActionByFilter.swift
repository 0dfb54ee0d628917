// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// An action on everything that a filter matches.
public struct ActionByFilter: Codable, Hashable, Sendable {
    /// What is done to each.
    public var action: BulkAction
    /// All given members have to match.
    public var filter: ActionFilter

    /// Makes one of its members; those that are left out are nil.
    public init(
        action: BulkAction,
        filter: ActionFilter
    ) {
        self.action = action
        self.filter = filter
    }

    private enum CodingKeys: String, CodingKey {
        case action
        case filter
    }
}
