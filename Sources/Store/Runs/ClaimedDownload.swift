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
    package let mirrors: MirrorBook?
    /// The one of its addresses that this attempt asks, as the client spelled it.
    package let address: String
    /// The same, parsed; a row may hold what today's rules refuse.
    package let source: Result<SourceURL, SourceURLError>
    /// Its origin, where the address can be read.
    package var origin: String? {
        if case .success(let url) = source { url.origin } else { nil }
    }
    /// The length that the origin announced to an earlier attempt.
    package var total: Int64?
    /// The app that owns it.
    package var app: Int64 = 1
    /// The app's name, where it is known.
    package var appName = ""
    /// The lane from which it was claimed.
    package var lane: Int64 = 0
    /// The run as the conductor counts it.
    package var run: ClaimedRun {
        var run = ClaimedRun(id: download.id, fence: fence, order: order, need: need)
        run.flow = LaneFlow(app: app, session: sessionKey, origin: originKey)
        run.schedulingClass = download.schedulingClass
        run.lane = lane
        run.isProbe = isProbe
        run.waitsForConnectivity = download.shared.spec.waitsForConnectivity
        return run
    }
    /// Since when it waited; nil where that is not known.
    package var waitedSince: Timestamp?
    /// When it was due: its date, or the instant of a retry.
    package var runAt: Timestamp?
    /// What its wait was made of.
    package var timeBlocked = BlockedTime()
    /// Whether it was let through to find out whether its origin is reached again.
    package var isProbe = false
    /// Whether others wait for the answer that it may get.
    package var announcesReach = false
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
        let known = resume?.mirrors
        let count = download.addressCount
        mirrors =
            count == 1 ? nil : known?.pages.count == count ? known : MirrorBook(count: count)
        address = mirrors.flatMap { download.address(at: $0.current) } ?? download.url
        source = ClaimedDownload.parse(address)
    }

    /// The origins of all its addresses in their order, nil for what is no URL; empty with one.
    package var mirrorOrigins: [String?] {
        guard mirrors != nil else { return [] }
        return download.addresses.map { text in
            switch ClaimedDownload.parse(text) {
            case .success(let url): url.origin
            // The attempt that asks it fails with the reason.
            case .failure: nil
            }
        }
    }

    private static func parse(_ text: String) -> Result<SourceURL, SourceURLError> {
        do throws(SourceURLError) {
            return .success(try SourceURL(parsing: text))
        } catch {
            return .failure(error)
        }
    }
}

extension ClaimedDownload {
    /// A claim that is handed on; an object, as a claim is large.
    package final class Box: Sendable {
        /// What was claimed.
        package let claim: ClaimedDownload

        /// Keeps a claim.
        package init(_ claim: ClaimedDownload) { self.claim = claim }
    }
}
