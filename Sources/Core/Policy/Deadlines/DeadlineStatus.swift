/// How a download stands to its deadline.
package enum DeadlineStatus: String, Sendable, CaseIterable {
    /// It has no deadline.
    case none
    /// It waits for the policy's moment, and there is time for that.
    case onTrack = "on_track"
    /// There is time for the transfer and for nothing else: soft rules do not count.
    case guarded
    /// At the rate that is counted on there is not enough time.
    case atRisk = "at_risk"
    /// The deadline is over, or even at a rate that its origin seldom exceeds there is not enough
    /// time.
    case late
}
