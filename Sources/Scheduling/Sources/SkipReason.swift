internal import Downloads

/// The reason why an instant of a source has no look.
package enum SkipReason: String, Sendable, CaseIterable, MemberValue {
    /// The look before it had not ended.
    case overlap
    /// The look before it had not begun, because a rule, a limit or a suspended session held it
    /// back.
    case policy
    /// The app had as many waiting and running downloads as it may have.
    case quota
    /// The source was suspended.
    case suspended
    /// No replica worked, and `catch_up` gives the instant no look.
    case missed
}
