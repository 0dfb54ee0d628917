// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `Attachment` of the API.
public struct Attachment: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [Transfer]
    /// A cursor, the name of a place in the journal; take it as it is, as its digits tell no order.
    ///
    /// Pages have it as `cursor` and `next_cursor`, streams send it as `id`; `after` and
    /// `Last-Event-ID` take it.
    public var cursor: String
    /// `next_cursor` of the API.
    public var nextCursor: String?

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Transfer],
        cursor: String,
        nextCursor: String? = nil
    ) {
        self.data = data
        self.cursor = cursor
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey {
        case data
        case cursor
        case nextCursor = "next_cursor"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.data, forKey: .data)
        try members.encode(self.cursor, forKey: .cursor)
        try members.encode(self.nextCursor, forKey: .nextCursor)
    }
}
