/// The result of a begin hook's answer.
package enum HookOutcome: Equatable, Sendable {
    /// The answer is applied.
    case taken
    /// The question is no longer open: another answer was taken, or the download was changed.
    case closed
    /// The answer asks for an impossible change; one sentence.
    case refused(String)
    /// The answer could not be stored.
    case failed
}
