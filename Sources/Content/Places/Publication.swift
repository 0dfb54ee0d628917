/// The answer of a place to one body that is to be published.
package enum Publication: Sendable, Equatable {
    /// The content is durable and can be opened; a row may name it. The part is the place's now.
    case published
    /// The place has taken the order and is not done: ask again. The part is still needed.
    case underway
    /// Nobody knows whether the place has the content: ask again. The part is still needed.
    case unanswered(PlaceError)
    /// The content does not appear, and the part is given up; the name is not used again.
    case failed(PlaceError)
}
