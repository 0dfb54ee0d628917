/// The decision after an attempt at one of several mirrors.
package struct MirrorVerdict: Equatable, Sendable {
    /// The next state of the download.
    package var verdict: AttemptVerdict
    /// The failure that the download shows: after a completed round, the most promising one.
    package var failure: DownloadFailure
    /// Whether another mirror is asked at once.
    package var isSwitch = false
}
