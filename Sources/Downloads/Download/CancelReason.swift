/// The reason why a download was canceled, if its client did not cancel it directly.
package enum CancelReason: String, Sendable, MemberValue {
    /// Its session was ended with `force_quit`.
    case forceQuit = "force_quit"
    /// Another download was created with `replaces`.
    case replaced
    /// Nobody has listened to its session, which ends with its client, for long enough.
    case clientGone = "client_gone"
    /// Its begin hook asked for it, or gave no answer and is configured to cancel then.
    case beginHook = "begin_hook"
    /// It was a look of a source, and the next look was due.
    case nextLook = "next_look"
}
