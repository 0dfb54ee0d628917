// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `Batch` of the API.
public struct Batch: Codable, Hashable, Sendable {
    /// The downloads in the order of the request.
    public var data: [Download]

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Download]
    ) {
        self.data = data
    }

    private enum CodingKeys: String, CodingKey {
        case data
    }
}
