/// Why a feed was not read; nothing of it counts.
package struct FeedFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reasons.
    package enum Reason: String, Sendable {
        /// XML or JSON that is malformed, or cut off.
        case malformed
        /// A document of another kind, such as a page in HTML.
        case notAFeed = "not_a_feed"
        /// A document type with declarations of its own.
        case doctype
        /// More bytes than a feed may have, also once gzip is undone.
        case tooLarge = "too_large"
        /// Elements or values too deep inside each other.
        case tooDeep = "too_deep"
        /// Bytes that begin like gzip and are no gzip file.
        case gzip
    }

    /// The reason.
    package var reason: Reason
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in characters.
    package var column: Int
    /// One plain phrase, such as `mismatched tag`.
    package var detail: String

    /// Creates a fault; see the members.
    package init(_ reason: Reason, line: Int = 1, column: Int = 1, detail: String) {
        self.reason = reason
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// The phrase with its place.
    package var description: String { "line \(line), column \(column): \(detail)" }
}
