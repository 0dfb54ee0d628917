package import Base

/// A feed as it was read: RSS 2.0, Atom or JSON Feed.
package struct Feed: Equatable, Sendable {
    /// The formats.
    package enum Format: String, Sendable {
        /// RSS 2.0 and its forerunners with an element `rss`.
        case rss
        /// Atom (RFC 4287).
        case atom
        /// JSON Feed 1.0 and 1.1.
        case json
    }

    /// The most items that are looked at.
    package static let itemsAtMost = 2000
    /// The most bytes after gzip.
    package static let bytesAtMost = 8 << 20
    /// The most elements, or JSON values, inside each other.
    package static let depthAtMost = 64

    /// The format.
    package var format: Format
    /// Its title, in one line; empty without one.
    package var title = ""
    /// How long its publisher wants it to be kept, in seconds; nil if it does not say.
    package var ttl: Int64?
    /// The hours of the day, 0 to 23 in UTC, in which it need not be looked at.
    package var skipHours: Set<Int> = []
    /// The days, in UTC, on which it need not be looked at.
    package var skipDays: Set<Weekday> = []
    /// The items with a file, in the order of the feed; those without one are not items here.
    package var items: [FeedItem] = []
    /// Items with a file that cannot be used, the first hundred.
    package var leftOut: [LeftOutItem] = []
    /// Whether it has more items than are looked at.
    package var isCut = false

    /// An empty feed of a format.
    package init(format: Format) { self.format = format }
}
