package import Downloads
internal import Postgres

/// The result of an action.
package enum ActionOutcome: Sendable {
    /// It was done; the record is the present one, or for a deleted download the last one. A
    /// running download still runs; `order` is for the replica that runs it.
    case done(DownloadRecord, order: RunOrder?)
    /// The app has no such download.
    case notFound
    /// The caller's condition does not hold for the download's present state.
    case refused(DownloadRecord)
    /// The action is not possible in this state.
    case impossible(DownloadState)
    /// The secrets of the request were erased at its end; the members have to be sent again.
    case secretsErased(RequestShape)
    /// The query of its URL was erased at its end; the URL has to be given again.
    case urlErased
    /// Its session no longer accepts downloads.
    case sessionClosed(String, SessionState)
    /// Its app has reached its limit of waiting and running downloads.
    case queueFull
    /// The uploads of its app would have more bytes here than they may.
    case stagingFull
}
