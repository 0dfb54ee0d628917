internal import Core
internal import Postgres

/// What came of giving a file up.
package enum ReleaseOutcome: Sendable {
    /// It is released, now or before: the download as it is.
    case done(DownloadRecord)
    /// The app has no such download.
    case notFound
    /// The download has no file, and never had one.
    case without(DownloadRecord)
    /// The caller's condition does not hold for the download as it is.
    case refused(DownloadRecord)
}
