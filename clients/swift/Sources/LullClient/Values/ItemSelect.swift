// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Which items of a feed are fetched.
///
/// In `title` and `type` a `*` stands for any characters. Items that do not match are judged anew
/// at each look; those older than the `newest` ones count as known.
public struct ItemSelect: Codable, Hashable, Sendable {
    /// `title` of the API.
    public var title: String?
    /// Only so many of the newest items.
    public var newest: Int?
    /// `type` of the API.
    public var type: String?
    /// Only files of at most so many bytes, as the feed says; a file of an unknown length is short
    /// enough.
    public var maxBytes: Int?

    /// Makes one of its members; those that are left out are nil.
    public init(
        title: String? = nil,
        newest: Int? = nil,
        type: String? = nil,
        maxBytes: Int? = nil
    ) {
        self.title = title
        self.newest = newest
        self.type = type
        self.maxBytes = maxBytes
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case newest
        case type
        case maxBytes = "max_bytes"
    }
}
