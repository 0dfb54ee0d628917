/// Why a download was canceled, where its client did not cancel that download itself.
package enum CancelReason: String, Sendable, MemberValue {
    /// Its session was ended with `force_quit`.
    case forceQuit = "force_quit"
    /// Its begin hook asked for it, or gave no answer and is configured to cancel then.
    case beginHook = "begin_hook"
}
