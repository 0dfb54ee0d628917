/// An item of a feed that has a file and cannot be used.
package struct LeftOutItem: Equatable, Sendable {
    /// The reasons.
    package enum Reason: String, Sendable {
        /// The address of the file leads to nothing that may be fetched.
        case url
        /// The name or the address has a character that cannot be read: an entity that XML does
        /// not know, or bytes that are not of the character set.
        case unreadable
        /// The name is longer than a name may be.
        case long
    }

    /// The most of them that a feed keeps.
    package static let atMost = 100

    /// The reason.
    package var reason: Reason
    /// The line of the item, from 1; 0 in a JSON Feed.
    package var line: Int
    /// The column of the item, from 1, in characters; in a JSON Feed its number, from 0.
    package var column: Int

    /// Creates one; see the members.
    package init(reason: Reason, line: Int, column: Int) {
        self.reason = reason
        self.line = line
        self.column = column
    }
}
