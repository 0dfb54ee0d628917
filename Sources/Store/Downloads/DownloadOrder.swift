package import Base
internal import Downloads
internal import Scheduling

/// The order of listed downloads.
package enum DownloadOrder: String, Sendable, CaseIterable {
    /// The newest first.
    case newestFirst = "-created_at"
    /// The oldest first.
    case oldestFirst = "created_at"
    /// Of ended downloads, the last end first.
    case lastEndFirst = "-completed_at"
    /// Of ended downloads, the first end first.
    case firstEndFirst = "completed_at"
    /// Of waiting downloads, the one that may begin first, by its date or its next try.
    case next

    /// The instant by which a download is ordered; nil in an order by creation, which is that of
    /// identifiers.
    package func instant(of record: DownloadRecord) -> Timestamp? {
        switch self {
        case .newestFirst, .oldestFirst: nil
        case .lastEndFirst, .firstEndFirst: record.download.completedAt
        case .next: record.candidate?.runAt
        }
    }

    /// Whether it falls.
    private var isDescending: Bool { self == .newestFirst || self == .lastEndFirst }

    var direction: String { isDescending ? "DESC" : "ASC" }
    var behind: String { isDescending ? "<" : ">" }
    /// Up to a row, and including it.
    var until: String { isDescending ? ">=" : "<=" }

    /// Before all rows.
    var first: String { isDescending ? DownloadOrder.greatest : DownloadOrder.least }
    /// Behind all rows.
    var last: String { isDescending ? DownloadOrder.least : DownloadOrder.greatest }
    /// Before all instants.
    var firstInstant: String { isDescending ? "'infinity'" : "'-infinity'" }
    /// Behind all instants.
    var lastInstant: String { isDescending ? "'-infinity'" : "'infinity'" }

    private static let least = "'00000000-0000-0000-0000-000000000000'::uuid"
    private static let greatest = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"
}
