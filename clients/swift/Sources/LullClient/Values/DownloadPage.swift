// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `DownloadPage` of the API.
public struct DownloadPage: Codable, Hashable, Sendable {
    /// `data` of the API.
    public var data: [Download]
    /// Give it as `cursor` for the next page; null on the last one.
    public var nextCursor: String?
    /// Whether the page ended before it was full because 10,000 downloads were looked at: it may be
    /// empty, and the next one goes on behind them.
    public var truncated: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        data: [Download],
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
