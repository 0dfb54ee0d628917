// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `TriggerAnswer` of the API.
public struct TriggerAnswer: Codable, Hashable, Sendable {
    /// Whether the look comes later, because one is under way or began a short time ago.
    public var coalesced: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        coalesced: Bool
    ) {
        self.coalesced = coalesced
    }

    private enum CodingKeys: String, CodingKey {
        case coalesced
    }
}
