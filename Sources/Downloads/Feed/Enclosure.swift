package import Base

/// A file of an item.
package struct Enclosure: Equatable, Sendable {
    /// The address, absolute.
    package var url: SourceURL
    /// The media type in small letters, without parameters; nil if the feed does not say it.
    package var type: String?
    /// The length in bytes, 1 or more; nil if the feed does not say it.
    ///
    /// Feeds are often wrong.
    package var length: Int64?

    /// Creates a file; see the members.
    package init(url: SourceURL, type: String?, length: Int64?) {
        self.url = url
        self.type = type
        self.length = length
    }
}
