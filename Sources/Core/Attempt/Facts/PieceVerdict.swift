/// What follows the head of a further stream.
package enum PieceVerdict: Equatable, Sendable {
    /// The piece of the same file; it announces these bytes.
    case take(Range<Int64>)
    /// A status that is no content: further streams are asked no more.
    case refused
    /// Perhaps another file: what further streams brought is void.
    case other
}
