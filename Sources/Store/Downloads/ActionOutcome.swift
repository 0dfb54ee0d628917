package import Core
internal import Postgres

/// What came of an action.
package enum ActionOutcome: Sendable {
    /// It holds: the download now, or as it was before it was deleted. A running download still
    /// runs; `order` goes to the replica that runs it.
    case done(DownloadRecord, order: RunOrder?)
    /// The app has no such download.
    case notFound
    /// The caller's condition does not hold for the download as it is.
    case refused(DownloadRecord)
    /// Not in this state.
    case impossible(DownloadState)
    /// What it was asked for with was erased at its end; the members have to be sent again.
    case secretsErased(RequestShape)
    /// The query of its URL was erased at its end; the URL has to be given again.
    case urlErased
    /// Its session takes no downloads any more.
    case sessionClosed(String, SessionState)
    /// Its app has as many downloads that wait and run as it may have.
    case queueFull
}
