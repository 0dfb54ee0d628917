internal import Downloads

/// What happens at an instant of a source whose last look has not ended.
package enum OverlapRule: String, Sendable, CaseIterable, MemberValue {
    /// The instant is passed over.
    case skip
    /// The look of the instant begins when the running one has ended; one look waits at most.
    case queueOne = "queue_one"
    /// The running look is canceled, and that of the instant begins when it has ended.
    case cancelOther = "cancel_other"
}
