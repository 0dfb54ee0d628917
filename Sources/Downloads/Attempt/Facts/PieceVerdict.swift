/// The decision about the head of a further stream.
package enum PieceVerdict: Equatable, Sendable {
    /// A piece of the same file, which announces these bytes.
    case take(Range<Int64>)
    /// A status without content: no more streams are asked for.
    case refused
    /// Perhaps another file: the bytes of all further streams are void.
    case other
}
