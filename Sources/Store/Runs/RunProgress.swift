package import Core
internal import Postgres

/// How far a running download is.
package struct RunProgress: Sendable {
    /// The download as it is now.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// When it was measured; not before an earlier event of the run.
    package var at: Timestamp
    /// Where a later attempt may go on, if the bytes are synced.
    package var resume: ResumePoint?
    /// Whether to write a progress event; then the download's sequence is that of the event.
    package var emitsEvent: Bool

    /// Names all of it.
    package init(
        download: Download, fence: Int64, at: Timestamp, resume: ResumePoint?, emitsEvent: Bool
    ) {
        self.download = download
        self.fence = fence
        self.at = at
        self.resume = resume
        self.emitsEvent = emitsEvent
    }
}
