// Before which begins of a download its hook is asked.

extension Download {
    /// Another begin is ahead: with a date its hook, if there is one, is asked before it.
    package mutating func asksHookAgain() {
        spec.asksHook = spec.beginHook != nil && earliestBeginDate != nil
    }

    /// Whether the hook of another one that was asked need not be asked for this one.
    package func asksTheSame(as other: Download) -> Bool {
        spec.asksHook && other.spec.asksHook && spec.beginHook == other.spec.beginHook
            && earliestBeginDate == other.earliestBeginDate
    }
}
