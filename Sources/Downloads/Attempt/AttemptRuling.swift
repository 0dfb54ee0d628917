/// The ruling after a failed attempt: what is recorded and what happens next.
package struct AttemptRuling: Equatable, Sendable {
    /// The verdict about the download.
    package var verdict: AttemptVerdict
    /// The failure of the attempt.
    package var failure: DownloadFailure
    /// The failure that the download shows while it waits.
    package var shown: DownloadFailure
    /// The point at which a later attempt may continue.
    package var kept: ResumePoint?
    /// Whether another mirror is asked at once, for the attempt's failure.
    package var isSwitch = false
    /// Whether the row keeps its place in the queue.
    package var keepsPlace = false
}
