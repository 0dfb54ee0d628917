/// What follows a failed attempt.
package struct AttemptRuling: Equatable, Sendable {
    /// What becomes of the download.
    package var verdict: AttemptVerdict
    /// How the attempt failed.
    package var failure: DownloadFailure
    /// What the download shows while it waits.
    package var shown: DownloadFailure
    /// Where a later attempt may go on.
    package var kept: ResumePoint?
    /// Whether another mirror is asked at once, for the attempt's failure.
    package var isSwitch = false
    /// Whether the row keeps its place in the queue.
    package var keepsPlace = false
}
