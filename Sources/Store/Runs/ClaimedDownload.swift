package import Core
internal import Postgres

/// A download that this replica runs.
package struct ClaimedDownload: Sendable {
    /// The download, running.
    package var download: Download
    /// The fence that every write of this attempt carries.
    package let fence: Int64
    /// Attempts without progress before this one.
    package let attemptsWithoutProgress: Int
    /// Its origin's key.
    package let originKey: Int64
    /// Its session's key.
    package let sessionKey: Int64
    /// When its time is over.
    package let deadline: Timestamp
    /// When this attempt was claimed.
    package let claimedAt: Timestamp
    /// The subscribed events, as bits.
    package let webhookMask: Int32
    /// An order that was already waiting.
    package let order: RunOrder?
    /// What an earlier attempt left.
    package let resume: ResumePoint?
    /// Bytes that it still expects in this data directory; 0 if unknown.
    package var need: Int64 {
        let kept = resume?.offset ?? 0
        return max(0, (resume?.total ?? total ?? download.bytesExpectedByClient ?? 0) - kept)
    }
    /// What is known of its addresses; nil where it has only one.
    package var mirrors: MirrorBook? {
        let count = download.addresses.count
        guard count > 1 else { return nil }
        guard let book = resume?.mirrors, book.pages.count == count else {
            return MirrorBook(count: count)
        }
        return book
    }
    /// The one of its addresses that this attempt asks.
    package var address: String { download.addresses[mirrors?.current ?? 0] }
    /// The length that the origin announced to an earlier attempt.
    package var total: Int64?
    /// The app that owns it.
    package var app: Int64 = 1
    /// Whether an attempt was lost after a request that must not be sent twice.
    package var wasSent = false

    /// Names what every claim has; `resume` is what an earlier attempt left.
    package init(
        download: Download, fence: Int64, attemptsWithoutProgress: Int = 0, originKey: Int64,
        sessionKey: Int64,
        deadline: Timestamp, claimedAt: Timestamp, webhookMask: Int32 = 0, order: RunOrder? = nil,
        resume: ResumePoint? = nil
    ) {
        self.download = download
        self.fence = fence
        self.attemptsWithoutProgress = attemptsWithoutProgress
        self.originKey = originKey
        self.sessionKey = sessionKey
        self.deadline = deadline
        self.claimedAt = claimedAt
        self.webhookMask = webhookMask
        self.order = order
        self.resume = resume
    }
}
