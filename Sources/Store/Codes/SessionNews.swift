// The bits of session_news.kind.

/// The reason for a look at a session; the raw value is the bit in the store.
enum SessionNews: Int16, CaseIterable {
    /// A download succeeded.
    case completed = 1
    /// A download failed.
    case failed = 2
    /// A download waits for the client.
    case attentionRequired = 4
    /// A download was canceled.
    case ended = 8
    /// The webhook of a wake has an outcome.
    case answered = 16

    /// The bits for the ends of downloads.
    static let ends: Int16 = completed.rawValue | failed.rawValue | ended.rawValue
}
