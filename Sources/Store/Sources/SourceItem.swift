package import Base
internal import Crypto
internal import Downloads
package import Scheduling

/// An item of a feed as its source knows it.
package struct SourceItem: Sendable {
    /// Its key.
    package let key: String
    /// Its title, at most 1,024 characters.
    package let title: String
    /// The address of its file.
    package let url: String
    /// When it was published; nil if the feed does not say.
    package let publishedAt: Timestamp?

    /// The item of a choice.
    package init(_ choice: ChosenItem) {
        key = choice.key
        // The database stores no character with the number 0.
        title = choice.item.title.filter { $0 != "\0" }
        url = choice.enclosure.url.description
        publishedAt = choice.item.date
    }

    /// The item of a record.
    package init(_ record: SourceItemRecord) {
        (key, title, url) = (record.key, record.title, record.url)
        publishedAt = record.publishedAt
    }

    /// Half of the SHA-256 of a key, by which it is looked up.
    package static func hash(of key: String) -> Identifier {
        let digest = SHA256.digest(of: key)
        let number = { (bytes: ArraySlice<UInt8>) in
            bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        return Identifier(high: number(digest[..<8]), low: number(digest[8..<16]))
    }

    var hash: Identifier { SourceItem.hash(of: key) }
}
