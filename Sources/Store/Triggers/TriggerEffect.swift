/// The effect of a call of a trigger.
package enum TriggerEffect: Equatable, Sendable {
    /// The source looks now.
    case looks
    /// A look is under way, or began too short a time ago: the source looks once more afterwards.
    case coalesced
    /// The sender repeats a message that was taken before.
    case repeated
    /// The bytes of an earlier call came again.
    case replayed
    /// The source is suspended.
    case suspended
    /// The trigger or its source is gone.
    case gone
}
