package import Base

/// An item of a feed that has a file.
package struct FeedItem: Equatable, Sendable {
    /// The most bytes of a guid.
    package static let guidBytesAtMost = 2048

    /// The name that its publisher gave it for ever: `guid`, `id`; nil without one.
    package var guid: String?
    /// Its title, in one line of at most 1,024 characters; empty without one.
    package var title: String
    /// When it was published, or else changed; nil if that is not said or cannot be read.
    package var date: Timestamp?
    /// Its files, of which one is fetched, 1 to 64.
    ///
    /// The first one is the publisher's choice.
    package var enclosures: [Enclosure]

    /// Creates an item; see the members.
    package init(guid: String?, title: String, date: Timestamp?, enclosures: [Enclosure]) {
        precondition(!enclosures.isEmpty, "an item without a file is none")
        self.guid = guid
        self.title = title
        self.date = date
        self.enclosures = enclosures
    }
}
