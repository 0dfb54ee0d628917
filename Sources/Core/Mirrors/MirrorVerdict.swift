/// What follows an attempt at one of several mirrors.
package struct MirrorVerdict: Equatable, Sendable {
    /// What becomes of the download.
    package var verdict: AttemptVerdict
    /// What the download says: of a round that is over, its most hopeful failure.
    package var failure: DownloadFailure
    /// Whether another mirror is asked at once.
    package var isSwitch = false
}
