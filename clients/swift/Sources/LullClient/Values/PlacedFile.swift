// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `PlacedFile` of the API.
public struct PlacedFile: Codable, Hashable, Sendable {
    /// `name` of the API.
    public var name: String
    /// `path` of the API.
    public var path: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        path: String
    ) {
        self.name = name
        self.path = path
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case path
    }
}
