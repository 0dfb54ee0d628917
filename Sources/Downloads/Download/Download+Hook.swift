// The rules for asking the begin hook of a download.
internal import Base

extension Download {
    /// Notes that another begin is ahead: if the download has a date and a hook, the hook is asked
    /// before it.
    package mutating func asksHookAgain() {
        spec.asksHook = spec.beginHook != nil && earliestBeginDate != nil
    }

    /// Whether the answered question of another download covers this one, so that the hook need not
    /// be asked again.
    package func asksTheSame(as other: Download) -> Bool {
        if isSending || other.isSending {
            let (hook, known) = (shared.value.relay?.hook, other.shared.value.relay?.hook)
            return isSending && other.isSending && hook != nil && hook == known
        }
        return asksTheSameToBegin(as: other)
    }

    private func asksTheSameToBegin(as other: Download) -> Bool {
        spec.asksHook && other.spec.asksHook && spec.beginHook == other.spec.beginHook
            && earliestBeginDate == other.earliestBeginDate
    }
}
