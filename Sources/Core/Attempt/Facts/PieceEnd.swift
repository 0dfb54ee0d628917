/// What the end of a further stream means for the others.
package enum PieceEnd: Equatable, Sendable {
    /// It may fetch the next piece.
    case goOn
    /// No further stream is asked.
    case stop
    /// No further stream is asked, and what they brought beyond the first gap is void.
    case discardBeyondPrefix
}
