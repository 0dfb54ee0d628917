// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `ListKeysAnswer` of the API.
public struct ListKeysAnswer: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [Key]
    /// `next_cursor` of the API.
    public var nextCursor: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Key],
        nextCursor: String? = nil
    ) {
        self.data = data
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.data, forKey: .data)
        try members.encode(self.nextCursor, forKey: .nextCursor)
    }
}
