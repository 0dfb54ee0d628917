/// Whether a download will meet its deadline.
package enum DeadlineStatus: String, Sendable, CaseIterable {
    /// It has no deadline.
    case none
    /// It has time enough to wait for a better moment.
    case onTrack = "on_track"
    /// It has time enough for the transfer only: soft rules no longer hold it back.
    case guarded
    /// At the assumed rate the time is not enough.
    case atRisk = "at_risk"
    /// The deadline is over, or the time is not enough even at a rate that its origin seldom
    /// exceeds.
    case late
}
