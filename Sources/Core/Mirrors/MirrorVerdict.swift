/// What follows an attempt at one of several mirrors.
package struct MirrorVerdict: Equatable, Sendable {
    /// What becomes of the download.
    package var verdict: AttemptVerdict
    /// The failure that the download shows: of a completed round, the most recoverable one.
    package var failure: DownloadFailure
    /// Whether another mirror is asked at once.
    package var isSwitch = false
}
