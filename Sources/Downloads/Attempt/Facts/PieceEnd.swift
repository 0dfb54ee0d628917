/// The action of the other streams after a further stream has ended.
package enum PieceEnd: Equatable, Sendable {
    /// It may fetch the next piece.
    case goOn
    /// No further stream is asked.
    case stop
    /// No further stream is asked, and the bytes behind the first gap are void.
    case discardBeyondPrefix
}
