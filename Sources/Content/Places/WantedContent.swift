// Content that a row names and that a place should have.

/// A name and the length that the content has to have.
package struct WantedContent: Hashable, Sendable {
    /// The name, as published.
    package let name: ContentName
    /// The length in bytes.
    package let length: Int64

    /// Creates a value with all its members.
    package init(_ name: ContentName, length: Int64) {
        self.name = name
        self.length = length
    }
}
