// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A page of rows.
public struct RowPage: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [Row]
    /// The place of the next page; nil on the last one.
    public var nextCursor: String?
    /// Whether it ended before it was full.
    public var truncated: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Row],
        truncated: Bool,
        nextCursor: String? = nil
    ) {
        self.data = data
        self.nextCursor = nextCursor
        self.truncated = truncated
    }

    private enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
        case truncated
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.data, forKey: .data)
        try members.encode(self.nextCursor, forKey: .nextCursor)
        try members.encode(self.truncated, forKey: .truncated)
    }
}
