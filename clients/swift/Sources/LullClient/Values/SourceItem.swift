// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.
public import Foundation

/// A known item of a feed.
public struct SourceItem: Codable, Hashable, Sendable {
    /// `key` of the API.
    public var key: String
    /// `title` of the API.
    public var title: String
    /// The address of its file.
    public var url: String
    /// The download of its file; null if it is known without one.
    public var download: String?
    /// `published_at` of the API.
    public var publishedAt: Date?
    /// RFC 3339 in UTC with milliseconds.
    public var seenAt: Date

    /// Makes one of its members; those that are left out are nil.
    public init(
        key: String,
        title: String,
        url: String,
        seenAt: Date,
        download: String? = nil,
        publishedAt: Date? = nil
    ) {
        self.key = key
        self.title = title
        self.url = url
        self.download = download
        self.publishedAt = publishedAt
        self.seenAt = seenAt
    }

    private enum CodingKeys: String, CodingKey {
        case key
        case title
        case url
        case download
        case publishedAt = "published_at"
        case seenAt = "seen_at"
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(self.key, forKey: .key)
        try members.encode(self.title, forKey: .title)
        try members.encode(self.url, forKey: .url)
        try members.encode(self.download, forKey: .download)
        try members.encode(self.publishedAt, forKey: .publishedAt)
        try members.encode(self.seenAt, forKey: .seenAt)
    }
}
