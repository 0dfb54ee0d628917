/// The form in which content is wanted from a place.
package struct ReadingWish: Sendable, Equatable {
    /// The bytes that are wanted, within the content; nil for all.
    package var range: ClosedRange<Int64>?
    /// Whether the reader is a client that follows a redirect.
    package var mayRedirect = false

    /// Creates a wish for bytes.
    package init(range: ClosedRange<Int64>? = nil) { self.range = range }
}
