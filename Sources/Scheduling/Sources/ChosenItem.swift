package import Downloads

/// An item of a feed that is to be fetched.
package struct ChosenItem: Equatable, Sendable {
    /// Its key, which is written with its download.
    package var key: String
    /// The item.
    package var item: FeedItem
    /// The file of it that is fetched.
    package var enclosure: Enclosure
    /// The time from the look to its earliest begin.
    package var delay: Duration = .zero

    /// Creates one that may begin at once; see the members.
    package init(key: String, item: FeedItem, enclosure: Enclosure) {
        self.key = key
        self.item = item
        self.enclosure = enclosure
    }
}
