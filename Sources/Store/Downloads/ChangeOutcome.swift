internal import Postgres

/// The result of a change.
package enum ChangeOutcome: Sendable {
    /// It was done; the record is the present one.
    case done(DownloadRecord)
    /// The app has no such download.
    case notFound
    /// The caller's condition does not hold for the download's present state.
    case refused(DownloadRecord)
    /// The download has changed since the caller read it.
    case stale
}
