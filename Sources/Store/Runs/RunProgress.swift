package import Base
package import Downloads
internal import Postgres

/// The progress of a running download.
package struct RunProgress: Sendable {
    /// The download with its present values.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// The time at which it was measured; not before an earlier event of the run.
    package var at: Timestamp
    /// The resume point, if the bytes are synced.
    package var resume: ResumePoint?
    /// Whether to write a progress event; then the download's sequence is that of the event.
    package var emitsEvent: Bool

    /// Creates a value with all its members.
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
