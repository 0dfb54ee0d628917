/// The answer of a place to a removal.
package enum Removal: Sendable, Equatable {
    /// The content is not there any more, or never was.
    case gone
    /// The place has taken the order, and readers may find the content for a while: ask again.
    case underway
    /// The content may still be there: ask again.
    case failed(PlaceError)
}
