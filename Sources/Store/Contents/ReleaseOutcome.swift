internal import Postgres

/// The result of giving a file up.
package enum ReleaseOutcome: Sendable {
    /// It is released, now or before.
    case done(DownloadRecord)
    /// The app has no such download.
    case notFound
    /// The download never had a file.
    case without(DownloadRecord)
    /// The caller's condition does not hold for the download's present state.
    case refused(DownloadRecord)
}
