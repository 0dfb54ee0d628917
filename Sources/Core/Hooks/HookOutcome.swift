/// What came of the answer of a begin hook.
package enum HookOutcome: Equatable, Sendable {
    /// It holds.
    case taken
    /// Nothing waits for it any more: another answer was taken, or the download was changed.
    case closed
    /// It asks for what is not possible; one sentence.
    case refused(String)
    /// It could not be stored.
    case failed
}
