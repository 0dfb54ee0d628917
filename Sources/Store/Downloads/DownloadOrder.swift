internal import Postgres

/// The order of listed downloads.
package enum DownloadOrder: String, Sendable {
    /// The newest first.
    case newestFirst = "-created_at"
    /// The oldest first.
    case oldestFirst = "created_at"

    var direction: String { self == .newestFirst ? "DESC" : "ASC" }
    var behind: String { self == .newestFirst ? "<" : ">" }
}
