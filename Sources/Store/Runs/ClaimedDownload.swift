package import Base
package import Downloads
internal import Postgres
package import Scheduling

/// A download that this replica runs.
package struct ClaimedDownload: Sendable {
    /// The download, running.
    package var download: Download
    /// The fence that every write of this attempt carries.
    package let fence: Int64
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress = 0
    /// Its origin's key.
    package let originKey: Int64
    /// Its session's key.
    package let sessionKey: Int64
    /// The deadline.
    package let deadline: Timestamp
    /// The time at which this attempt was claimed.
    package let claimedAt: Timestamp
    /// The subscribed events, as bits.
    package var heardEvents = EventSet.none
    /// An order for it that waited in the store.
    package var order: RunOrder?
    /// The resume point of an earlier attempt.
    package let resume: ResumePoint?
    /// Whether the attempt sends the file, which is here.
    package var isSending: Bool { download.isSending }
    /// Missing bytes, as the claim counted them; 0 if unknown.
    package var need: Int64 = 0
    /// The state of its mirrors; nil if it has one address.
    package let mirrors: MirrorBook?
    /// The address for this attempt, as the client spelled it.
    package let address: String
    /// The parsed address; a row may have one that the present rules refuse.
    package let source: Result<SourceURL, SourceURLError>
    /// Its origin, if the address can be read.
    package var origin: String? {
        if case .success(let url) = source { url.origin } else { nil }
    }
    /// The length that the origin announced to an earlier attempt.
    package var total: Int64?
    /// The app that owns it.
    package var app: Int64 = 1
    /// The app's name, if known.
    package var appName = ""
    /// The lane from which it was claimed.
    package var lane: Int64 = 0
    /// The run in the form for the conductor.
    package var run: ClaimedRun {
        var run = ClaimedRun(id: download.id, fence: fence, order: order, need: need)
        run.flow = LaneFlow(app: app, session: sessionKey, origin: originKey)
        run.schedulingClass = download.schedulingClass
        run.lane = lane
        run.isProbe = isProbe
        run.waitsForConnectivity = download.shared.value.waitsForConnectivity
        return run
    }
    /// The time at which it began to wait; nil if unknown.
    package var waitedSince: Timestamp?
    /// The time at which it was due: its date, or the instant of a retry.
    package var runAt: Timestamp?
    /// The parts of its wait.
    package var timeBlocked = BlockedTime()
    /// Whether it probes an origin that was not reached.
    package var isProbe = false
    /// Whether others wait for the news that its origin answers.
    package var announcesReach = false
    /// Whether an attempt was lost after a request that must not be sent twice.
    package var wasSent = false

    /// Creates a claim with the values that every one has; `resume` is the resume point of an
    /// earlier attempt.
    package init(
        download: Download, fence: Int64, originKey: Int64, sessionKey: Int64,
        deadline: Timestamp, claimedAt: Timestamp, resume: ResumePoint? = nil
    ) {
        self.download = download
        self.fence = fence
        self.originKey = originKey
        self.sessionKey = sessionKey
        self.deadline = deadline
        self.claimedAt = claimedAt
        self.resume = resume
        let known = resume?.mirrors
        let count = download.isSending ? 1 : download.addressCount
        mirrors =
            count == 1 ? nil : known?.states.count == count ? known : MirrorBook(count: count)
        let target = download.isSending ? download.shared.value.sendTarget : nil
        address =
            target?.url ?? mirrors.flatMap { download.address(at: $0.current) } ?? download.url
        source = ClaimedDownload.parse(address)
    }

    /// The origins of all its addresses in order, nil for an address that is no URL; empty with one
    /// address.
    package var mirrorOrigins: [String?] {
        guard mirrors != nil else { return [] }
        return download.addresses.map { text in
            switch ClaimedDownload.parse(text) {
            case .success(let url): url.origin
            // The attempt with this address fails with the reason.
            case .failure: nil
            }
        }
    }

    /// Reads an address as its download has it.
    package static func parse(_ text: String) -> Result<SourceURL, SourceURLError> {
        do throws(SourceURLError) {
            return .success(try SourceURL(parsing: text))
        } catch {
            return .failure(error)
        }
    }
}
