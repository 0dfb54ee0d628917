// The bits of session_news.kind; functions/codes.sql names the same.

/// Why a session is looked at; the raw value is the bit in the store.
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

    /// Those with which a download ended.
    static let ends: Int16 = completed.rawValue | failed.rawValue | ended.rawValue
}
