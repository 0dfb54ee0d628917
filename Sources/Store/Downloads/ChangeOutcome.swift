internal import Core
internal import Postgres

/// What came of a change.
package enum ChangeOutcome: Sendable {
    /// It holds: the download now.
    case done(DownloadRecord)
    /// The app has no such download.
    case notFound
    /// The caller's condition does not hold for the download as it is.
    case refused(DownloadRecord)
    /// It was changed since the caller read it.
    case stale
}
