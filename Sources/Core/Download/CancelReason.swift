/// Why a download was canceled, where its client did not cancel that download itself.
package enum CancelReason: String, Sendable, MemberValue {
    /// `force_quit` of its session.
    case forceQuit = "force_quit"
    /// Its begin hook said so, or had no answer where that means it.
    case beginHook = "begin_hook"
}
