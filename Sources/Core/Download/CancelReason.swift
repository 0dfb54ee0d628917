/// Why a download was canceled, where its client did not cancel that download itself.
package enum CancelReason: String, Sendable, MemberValue {
    /// `force_quit` of its session.
    case forceQuit = "force_quit"
}
