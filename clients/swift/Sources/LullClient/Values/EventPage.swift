// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `EventPage` of the API.
public struct EventPage: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [JournalEvent]
    /// The place behind this page; given as `after`, the next request goes on from there.
    public var cursor: String
    /// The same if there is a next page now; null if there is none yet.
    public var nextCursor: String?
    /// Whether the page ended before it was full because 10,000 events of other sessions or types
    /// were looked at: it may be empty, and the next one goes on behind them.
    public var truncated: Bool
    /// Whether events behind the given place are no longer kept.
    public var gap: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [JournalEvent],
        cursor: String,
        truncated: Bool,
        gap: Bool,
        nextCursor: String? = nil
    ) {
        self.data = data
        self.cursor = cursor
        self.nextCursor = nextCursor
        self.truncated = truncated
        self.gap = gap
    }

    private enum CodingKeys: String, CodingKey {
        case data
        case cursor
        case nextCursor = "next_cursor"
        case truncated
        case gap
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.data, forKey: .data)
        try members.encode(self.cursor, forKey: .cursor)
        try members.encode(self.nextCursor, forKey: .nextCursor)
        try members.encode(self.truncated, forKey: .truncated)
        try members.encode(self.gap, forKey: .gap)
    }
}
