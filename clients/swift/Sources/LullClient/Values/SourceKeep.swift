// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `SourceKeep` of the API.
public struct SourceKeep: Codable, Hashable, Sendable {
    /// `last` of the API.
    public var last: Int?
    /// `for` of the API.
    public var `for`: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        last: Int? = nil,
        for: String? = nil
    ) {
        self.last = last
        self.for = `for`
    }

    private enum CodingKeys: String, CodingKey {
        case last
        case `for`
    }
}
